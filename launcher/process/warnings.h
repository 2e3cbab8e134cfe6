// What mpiexec says of a whole job when it has ended.
#pragma once

#include <sys/types.h>

#include <string>

#include "shm/segment.h"

namespace atl::launcher {

// The MPI library of a program whose ranks do not call MPI_Init: in a program of another
// MPI each rank believes to be alone.
class UnusedLibrary {
 public:
  // Call it now and then, while the first rank may load what it needs.
  void look(const shm::RankSlot& slot, pid_t first_rank);

  // When no rank has called MPI_Init; empty: the program uses no MPI.
  std::string warning(const std::string& program, const std::string& file) const;

 private:
  int looks_left_ = 25;
  std::string name_;  // empty: not known
};

}  // namespace atl::launcher
