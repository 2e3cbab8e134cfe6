// Ranks that have ended while the job goes on (mpiexec -disable-auto-cleanup).
#pragma once

#include <cstdint>

#include "runtime/core/process.h"

namespace atl::rma {

// Whether the process of that rank of the job has ended without MPI_Finalize.
inline bool is_dead(std::uint32_t world_rank) {
  // Relaxed: mpiexec stores it once, after the process has ended, and nothing depends on its order.
  const auto life = static_cast<shm::Life>(process.segment->slot(world_rank).life.load_relaxed());
  return life == shm::Life::killed;
}

}  // namespace atl::rma
