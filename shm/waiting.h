// How a rank waits: spin, then yield, then sleep on its doorbell.
#pragma once

#include <cstdint>

#include "shm/doorbell.h"

namespace atl::shm {

// When to go from one stage to the next.
struct WaitPolicy {
  std::uint64_t spin_ticks = 0;  // time-stamp counter ticks of pure polling
  std::uint32_t yields = 0;      // polls with a sched_yield in between
  bool sleeps = true;            // false: yield for ever (for measurements)

  // A core for each rank: a partner's answer is rarely far away.
  static WaitPolicy own_core();
  // Ranks share cores: whoever waits stands in the way.
  static WaitPolicy shared_core();
};

// Time-stamp counter; some billions of ticks a second, good for budgets only.
std::uint64_t ticks();

// One pause between two polls.
void relax();

void yield_core();

// Polls until `done()` is true. `done` polls; `before_sleep` is called each
// time the rank is about to sleep and `after_sleep` when it goes on.
template <class Done, class Before, class After>
void wait_until(Doorbell& bell, FenceMode fence, const WaitPolicy& policy, Done&& done,
                Before&& before_sleep, After&& after_sleep) {
  constexpr int kPollsPerLook = 16;  // at the clock
  const std::uint64_t start = policy.spin_ticks != 0 ? ticks() : 0;
  while (policy.spin_ticks != 0 && ticks() - start < policy.spin_ticks) {
    for (int i = 0; i < kPollsPerLook; ++i) {
      if (done()) return;
      relax();
    }
  }
  for (;;) {
    for (std::uint32_t i = 0; i < policy.yields; ++i) {
      if (done()) return;
      yield_core();
    }
    if (done()) return;
    if (!policy.sleeps) continue;
    bell.announce();
    sleeper_fence(fence);
    if (done()) {
      bell.withdraw();
      return;
    }
    before_sleep();
    bell.sleep(-1);
    after_sleep();
    bell.withdraw();
  }
}

}  // namespace atl::shm
