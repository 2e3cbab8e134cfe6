// Ranks that end in MPI while the job goes on (mpiexec -disable-auto-cleanup).
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shm/segment.h"

namespace atl::launcher {

// Whether a rank whose process ended in this stage of its life ended in MPI: others may still copy
// from its memory, and wait for its locks.
bool ended_in_mpi(shm::Life life);

// Whether the process of the rank runs although `started`, the process that mpiexec started for
// it, has ended.
bool outlives(const shm::RankSlot& slot, pid_t started);

// Sets the life of a rank whose process has ended in MPI to `killed`, and wakes the other ranks:
// those that wait for a lock of it get an error.
void mark_killed(const shm::Segment& segment, std::uint32_t rank);

}  // namespace atl::launcher
