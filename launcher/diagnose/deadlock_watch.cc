#include "launcher/diagnose/deadlock_watch.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "launcher/process/rank_process.h"

namespace atl::launcher {

// Cheap checks first: most samples end at the first rank that is awake, and /proc is
// read only when no rank has moved since the previous sample.
Outlook DeadlockWatch::sample(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs) {
  std::vector<SleepingRank> before = std::move(ranks_);
  ranks_.clear();
  if (!all_sleep(ranks, runs) || ranks_.empty()) return start_again();
  if (ranks_ != before) {
    threads_.clear();
    same_ = 0;
    return Outlook::open;
  }
  const auto threads_before = std::move(threads_);
  threads_.clear();
  if (!all_rest()) return start_again();
  same_ = threads_ == threads_before ? same_ + 1 : 0;
  if (same_ == 0) return Outlook::open;
  if (!handles_signals_) return Outlook::deadlock;
  return same_ >= kPatience ? Outlook::signal_only : Outlook::open;
}

Outlook DeadlockWatch::start_again() {
  ranks_.clear();
  threads_.clear();
  same_ = 0;
  return Outlook::open;
}

// False when a rank may continue by itself, according to the job's memory.
bool DeadlockWatch::all_sleep(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (!runs(rank)) continue;
    const shm::RankSlot& slot = segment_.slot(rank);
    // Pairs with the stores of `life` in attach() and set_life(); only the value is needed.
    if (!shm::in_mpi(static_cast<shm::Life>(slot.life.load_acquire()))) return false;
    const SleepingRank sleeping{rank, slot.doorbell.word(), slot.waiting.sequence()};
    shm::WaitInfo waiting;
    if ((sleeping.bell & 1) == 0 || !slot.waiting.read(waiting) || waiting.call[0] == '\0') {
      return false;
    }
    ranks_.push_back(sleeping);
  }
  return true;
}

// The same according to the kernel, beginning with the rank that was not blocked last time.
bool DeadlockWatch::all_rest() {
  handles_signals_ = false;
  threads_.resize(ranks_.size());
  if (restless_ >= ranks_.size()) restless_ = 0;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const std::size_t next = (restless_ + i) % ranks_.size();
    const shm::RankSlot& slot = segment_.slot(ranks_[next].rank);
    const pid_t process = rank_process(slot);
    // Relaxed: stored once, before the rank's first wait record, which read() in all_sleep()
    // has acquired.
    auto threads = quiescent_threads(process, slot.bell_address.load_relaxed());
    if (!threads) {
      restless_ = next;
      return false;
    }
    threads_[next] = std::move(*threads);
    handles_signals_ = handles_signals_ || handles_signals(process);
  }
  return true;
}

}  // namespace atl::launcher
