// The attributes of the standard (MPI 5.0, 9.1.2), which every communicator has.
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::comm {

// MPI_Comm_get_attr, which knows those too.
Fault get_attr(Communicator& comm, const Keyval<MPI_Comm>& keyval, void* value, int* flag);

// At MPI_Init.
void make_standard_attributes();

}  // namespace atl::comm
