// What the tests of topologies have in common.
#pragma once

#include <vector>

#include "test/check.h"

namespace topo {

inline int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

inline int kind_of(MPI_Comm comm) {
  int kind = -1;
  MPI_Topo_test(comm, &kind);
  return kind;
}

// What each rank of `comm` says, by rank.
inline std::vector<int> everybodys(int mine, MPI_Comm comm) {
  std::vector<int> all(static_cast<std::size_t>(size_of(comm)));
  all[static_cast<std::size_t>(rank_in(comm))] = mine;
  for (int rank = 0; rank < size_of(comm); ++rank) {
    MPI_Bcast(&all[static_cast<std::size_t>(rank)], 1, MPI_INT, rank, comm);
  }
  return all;
}

// Different processes, so many.
inline void check_different_processes(MPI_Comm comm, int count) {
  std::vector<char> seen(static_cast<std::size_t>(check::size));
  for (int rank : everybodys(check::rank, comm)) {
    CHECK(!seen[static_cast<std::size_t>(rank)]);
    seen[static_cast<std::size_t>(rank)] = 1;
  }
  CHECK_EQ(size_of(comm), count);
}

}  // namespace topo
