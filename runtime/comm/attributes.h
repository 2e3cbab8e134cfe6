// Attributes of communicators (MPI 5.0, 7.7.2), those of the standard included
// (9.1.2): every communicator has them.
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::comm {

Fault set_attr(Communicator& comm, Keyval<MPI_Comm>& keyval, void* value);
Fault get_attr(Communicator& comm, const Keyval<MPI_Comm>& keyval, void* value, int* flag);
Fault delete_attr(Communicator& comm, Keyval<MPI_Comm>& keyval);

// At MPI_Init.
void make_standard_attributes();

}  // namespace atl::comm
