// Communicators for given groups, and the end of communicators (MPI 5.0, 7.4.2,
// 7.4.3, 11.10.4).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/comm/group.h"
#include "runtime/construct/agreement.h"
#include "runtime/core/fault.h"

namespace atl::construct {

Fault create(Communicator& comm, Group& group, MPI_Comm* newcomm);
Fault create_group(Communicator& comm, Group& group, int tag, MPI_Comm* newcomm);
Fault free(MPI_Comm* comm);
Fault disconnect(MPI_Comm* comm);

// A communicator of members who all belong to `comm` and all call this; null for
// everybody else.
Fault create_among(Communicator& comm, const Construction& meant, Communicator*& made);

}  // namespace atl::construct
