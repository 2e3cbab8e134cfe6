#include "launcher/process/dead_ranks.h"

#include "launcher/base/processes.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {

bool ended_in_mpi(shm::Life life) { return shm::in_mpi(life) || life == shm::Life::aborted; }

bool outlives(const shm::RankSlot& slot, pid_t started) {
  const pid_t process = rank_process(slot);
  if (process == 0 || process == started) return false;
  const char state = state_of(process);
  return state != '\0' && state != 'Z';
}

void mark_killed(const shm::Segment& segment, std::uint32_t rank) {
  // Relaxed: no other data depends on it, and the fence orders it.
  segment.slot(rank).life.store_relaxed(static_cast<std::uint32_t>(shm::Life::killed));
  // Pairs with sleeper_fence() of a rank that goes to sleep: its last poll sees `killed`, or ring()
  // sees its announcement.
  full_fence();
  for (std::uint32_t other = 0; other < segment.size(); ++other) {
    if (other != rank) segment.slot(other).doorbell.ring();
  }
}

}  // namespace atl::launcher
