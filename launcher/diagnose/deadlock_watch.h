// Detects when a job can make no more progress.
//
// Before a rank sleeps in MPI it announces that at its doorbell and polls once
// more; a rank that publishes work afterwards rings the doorbell before it sleeps
// itself. So when all ranks are asleep at one moment, each since its last poll
// and without a ring that it has not handled, no message is on its way, and no rank
// can send one. Two consecutive samples without any change prove that there was such
// a moment.
//
// A signal may still let a rank continue: the program's handler may end it, jump out
// of the call, or post a semaphore on which another thread waits. So the watch checks
// for handlers of signals that may arrive by themselves, such as those of timers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "launcher/diagnose/thread_quiescence.h"
#include "shm/segment.h"

namespace atl::launcher {

enum class Outlook {
  open,         // some rank may continue by itself
  signal_only,  // only a signal can let a rank continue, and none has for ten seconds
  deadlock,     // all running ranks sleep in MPI for ever
};

class DeadlockWatch {
 public:
  // Samples without a change before signal_only is returned, where signals have handlers.
  static constexpr int kPatience = 50;

  explicit DeadlockWatch(const shm::Segment& segment) : segment_(segment) {}

  // Called five times a second; `runs` returns whether the process of a rank has not ended.
  Outlook sample(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs);

 private:
  // The state in the job's memory of a rank that sleeps in MPI.
  struct SleepingRank {
    std::uint32_t rank = 0;
    std::uint32_t bell = 0;      // Doorbell::word()
    std::uint32_t sequence = 0;  // of its wait record

    bool operator==(const SleepingRank&) const = default;
  };

  bool all_sleep(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs);
  bool all_rest();
  Outlook start_again();

  const shm::Segment& segment_;
  // From the previous sample. No ranks: a rank was awake; no threads: they were not read.
  std::vector<SleepingRank> ranks_;
  std::vector<std::vector<QuiescentThread>> threads_;
  int same_ = 0;  // consecutive samples without a change
  bool handles_signals_ = false;
  std::size_t restless_ = 0;  // index of the rank whose threads were not all blocked last time
};

}  // namespace atl::launcher
