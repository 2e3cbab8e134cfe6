// Sees when a job can never go on.
//
// Before a rank sleeps in MPI it announces that at its doorbell and looks for
// work once more; whoever publishes work afterwards rings before it sleeps
// itself. So when all ranks have slept at one moment, each since its last look
// and with no ring that it has not heard, nothing is on its way, and nobody is
// left to send anything. That they slept at one moment is seen by looking twice:
// between the looks nothing may have changed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "launcher/rest.h"
#include "shm/segment.h"

namespace atl::launcher {

class DeadlockWatch {
 public:
  explicit DeadlockWatch(const shm::Segment& segment) : segment_(segment) {}

  // To be called now and then; `runs` tells of a rank whether its process has not
  // ended. True when this look and the one before have seen the same: all ranks
  // that run sleep in MPI for ever.
  bool look(std::uint32_t ranks, const std::function<bool(std::uint32_t)>& runs);

 private:
  struct RestingRank {
    std::uint32_t bell = 0;      // the word of its doorbell
    std::uint32_t sequence = 0;  // of its wait record
    std::vector<RestingThread> threads;

    bool operator==(const RestingRank&) const = default;
  };

  std::optional<RestingRank> resting(const shm::RankSlot& slot) const;

  const shm::Segment& segment_;
  std::vector<RestingRank> before_;  // empty: somebody was awake
};

}  // namespace atl::launcher
