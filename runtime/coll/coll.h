// Collective operations (MPI 5.0, chapter 6).
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::coll {

using datatype::Datatype;

Fault barrier(Communicator& comm);
Fault bcast(void* buffer, MPI_Count count, const Datatype& datatype, int root, Communicator& comm);

}  // namespace atl::coll
