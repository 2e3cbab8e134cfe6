// The attributes of the standard (MPI 5.0, 9.1.2), which every communicator has.
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::comm {

// MPI_Comm_get_attr, including the standard's attributes.
Error get_attr(Communicator& comm, const Keyval<MPI_Comm>& keyval, void* value, int* flag);

// Called when MPI first starts in this process.
void make_standard_attributes();

}  // namespace atl::comm
