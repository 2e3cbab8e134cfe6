// The jobs that run on this node, as far as this user may inspect them.
#pragma once

#include <sys/types.h>

#include <vector>

#include "shm/segment.h"

namespace atl::launcher {

struct RunningJob {
  pid_t owner = 0;  // mpiexec, or a program that runs on its own
  shm::Segment segment;
};

// Sorted by the pid of the owner. `only`: the job of that process; 0 = all.
std::vector<RunningJob> running_jobs(pid_t only);

// Whether the process of a rank has not ended; not known before MPI_Init.
bool rank_runs(const shm::Segment& segment, std::uint32_t rank);

}  // namespace atl::launcher
