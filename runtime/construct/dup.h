// Copies of communicators (MPI 5.0, 7.4.2).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"

namespace atl::construct {

Error dup(Communicator& comm, MPI_Comm* newcomm);
Error dup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm);
Error idup(Communicator& comm, MPI_Comm* newcomm, MPI_Request* request);
Error idup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm, MPI_Request* request);

}  // namespace atl::construct
