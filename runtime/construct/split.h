// MPI_Comm_split and MPI_Comm_split_type (MPI 5.0, 7.4.2 and 7.6.2).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::construct {

Fault split(Communicator& comm, int color, int key, MPI_Comm* newcomm);
Fault split_type(Communicator& comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

}  // namespace atl::construct
