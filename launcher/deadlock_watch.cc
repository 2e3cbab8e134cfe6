#include "launcher/deadlock_watch.h"

#include <utility>

#include "launcher/rank_process.h"

namespace atl::launcher {

bool DeadlockWatch::look(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs) {
  std::vector<RestingRank> now;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (!runs(rank)) continue;
    auto one = resting(segment_.slot(rank));
    if (!one) {
      before_.clear();
      return false;
    }
    now.push_back(std::move(*one));
  }
  const bool same = !now.empty() && now == before_;
  before_ = std::move(now);
  return same;
}

// Nothing when the rank may go on by itself.
std::optional<DeadlockWatch::RestingRank> DeadlockWatch::resting(const shm::RankSlot& slot) const {
  // Acquire: pairs with the rank's store of its life; its addresses are written.
  if (slot.life.load_acquire() != static_cast<std::uint32_t>(shm::Life::initialized)) {
    return std::nullopt;
  }
  RestingRank rank;
  rank.bell = slot.doorbell.word();
  rank.sequence = slot.waiting.sequence();
  shm::WaitInfo waiting;
  if ((rank.bell & 1) == 0 || !slot.waiting.read(waiting) || waiting.call[0] == '\0') {
    return std::nullopt;
  }
  // Relaxed: constant since before the rank's first sleep, which the bell shows.
  auto threads = resting_threads(rank_process(slot), slot.bell_address.load_relaxed());
  if (!threads) return std::nullopt;
  rank.threads = std::move(*threads);
  return rank;
}

}  // namespace atl::launcher
