// Copies of communicators (MPI 5.0, 7.4.2).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/objects/info.h"

namespace atl::construct {

Fault dup(Communicator& comm, MPI_Comm* newcomm);
Fault dup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm);
Fault idup(Communicator& comm, MPI_Comm* newcomm, MPI_Request* request);
Fault idup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm, MPI_Request* request);

}  // namespace atl::construct
