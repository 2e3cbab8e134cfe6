// Sees when a job can never go on.
//
// Before a rank sleeps in MPI it announces that at its doorbell and looks for
// work once more; whoever publishes work afterwards rings before it sleeps
// itself. So when all ranks have slept at one moment, each since its last look
// and with no ring that it has not heard, nothing is on its way, and nobody is
// left to send anything. That they slept at one moment is seen by looking twice:
// between the looks nothing may have changed.
//
// A signal may still let a rank go on: the program's handler may end it, jump out
// of the call, or post a semaphore on which another thread rests. So it matters
// whether there are handlers for signals that come by themselves, as from timers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "launcher/diagnose/thread_quiescence.h"
#include "shm/segment.h"

namespace atl::launcher {

enum class Outlook {
  open,         // some rank may go on by itself
  signal_only,  // only a signal may let one go on, and has not done so for ten seconds
  deadlock,     // all ranks that run sleep in MPI for ever
};

class DeadlockWatch {
 public:
  // So many looks have to see the same before it is told of where signals have handlers.
  static constexpr int kPatience = 50;

  explicit DeadlockWatch(const shm::Segment& segment) : segment_(segment) {}

  // To be called now and then, five times a second; `runs` tells of a rank whether its
  // process has not ended.
  Outlook look(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs);

 private:
  // What the job's memory tells of a rank that sleeps in MPI.
  struct SleepingRank {
    std::uint32_t rank = 0;
    std::uint32_t bell = 0;      // the word of its doorbell
    std::uint32_t sequence = 0;  // of its wait record

    bool operator==(const SleepingRank&) const = default;
  };

  bool all_sleep(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs);
  bool all_rest();
  Outlook start_again();

  const shm::Segment& segment_;
  // Of the look before. No ranks: somebody was awake; no threads: nobody asked for them.
  std::vector<SleepingRank> ranks_;
  std::vector<std::vector<QuiescentThread>> threads_;
  int same_ = 0;  // looks in a row that saw the same
  bool handles_signals_ = false;
  std::size_t restless_ = 0;  // index of the rank that kept the last look from seeing rest
};

}  // namespace atl::launcher
