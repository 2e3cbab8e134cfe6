// Communicators for given groups, and freeing communicators (MPI 5.0, 7.4.2, 7.4.3, 11.10.4).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/comm/group.h"
#include "runtime/construct/agreement.h"
#include "runtime/core/error.h"

namespace atl::construct {

Error create(Communicator& comm, Group& group, MPI_Comm* newcomm);
Error create_group(Communicator& comm, Group& group, int tag, MPI_Comm* newcomm);
Error free(MPI_Comm* comm);
Error disconnect(MPI_Comm* comm);

// A communicator of members that all belong to `comm` and all call this; null for other callers.
Error create_among(Communicator& comm, const Construction& meant, Communicator*& made);

}  // namespace atl::construct
