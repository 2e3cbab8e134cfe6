// MPI_Comm_split and MPI_Comm_split_type (MPI 5.0, 7.4.2 and 7.6.2).
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::construct {

// The arguments on which all ranks of a split must agree.
struct SplitKind {
  int split_type = 0;       // 0: MPI_Comm_split; MPI_UNDEFINED: agrees with every other
  std::uint64_t value = 0;  // hash of the hint that tells by what to split; else it is ignored
};

Error split(Communicator& comm, int color, int key, MPI_Comm* newcomm);
Error split_as(const SplitKind& kind, Communicator& comm, int color, int key, MPI_Comm* newcomm);
Error split_type(Communicator& comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

}  // namespace atl::construct
