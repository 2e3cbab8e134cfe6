// Warnings of mpiexec about a job that has ended.
#pragma once

#include <sys/types.h>

#include <string>

#include "shm/segment.h"

namespace atl::launcher {

// Finds the MPI library of a program whose ranks do not call MPI_Init: in a program linked
// with another MPI each rank runs as a job of one rank.
class UnusedLibrary {
 public:
  // Called periodically, while the first rank may still load libraries.
  void check(const shm::RankSlot& slot, pid_t first_rank);

  // Called when no rank has called MPI_Init. Empty: the program uses no MPI.
  std::string warning(const std::string& program, const std::string& file) const;

 private:
  int looks_left_ = 25;
  std::string name_;  // empty: not known
};

}  // namespace atl::launcher
