// How a rank waits: spin, then yield, then sleep on its doorbell.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "shm/doorbell.h"

namespace atl::shm {

// When to go from one stage to the next.
struct WaitPolicy {
  std::uint64_t spin_ticks = 0;        // of pure polling (base/clock.h)
  std::uint32_t yields = 0;            // polls with a sched_yield in between
  bool sleeps = true;                  // false: yield for ever (for measurements)
  std::int64_t longest_sleep_ns = -1;  // then after_sleep() gets a look around; -1: no limit
  // Several threads may sleep on the doorbell: an announcement stands until it
  // is rung, since one thread cannot know that no other sleeps.
  bool shared_bell = false;
  // Counts the processes of the job that are FenceMode::asymmetric; null: not known.
  const Shared<std::uint32_t>* asymmetric = nullptr;

  // For how long a rank may sleep; `fenced` is what sleeper_fence() said.
  std::int64_t sleep_ns(bool fenced) const {
    constexpr std::int64_t kShort = 10000000;
    // Relaxed: the sleeper's fence, and that of the process after it was counted, order it.
    // Either this rank sees the count, or that process sees the announcement.
    if (fenced || (asymmetric != nullptr && asymmetric->load_relaxed() == 0)) {
      return longest_sleep_ns;
    }
    return longest_sleep_ns < 0 ? kShort : std::min(longest_sleep_ns, kShort);
  }

  // A core for each rank: a partner's answer is rarely far away.
  static WaitPolicy own_core();
  // Ranks share cores: whoever waits stands in the way.
  static WaitPolicy shared_core();
};

// One pause between two polls.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void yield_core();

// How far a step of polling looks.
enum class Look : std::uint8_t {
  quick,  // may leave out what is unlikely to bring news
  full,   // the last before sleeping: must see everything that was published
};

// What one step of polling came to.
enum class Step : std::uint8_t {
  idle,    // nothing to do until somebody else acts
  worked,  // did something, or has something left to do
  done,    // what was waited for has happened
};

// Counts a wait through its stages.
class Patience {
 public:
  explicit Patience(const WaitPolicy& policy) : policy_(policy) {}

  // After a step without work: waits a little. False: it is time to sleep.
  bool wait_a_little() {
    if (spins()) {
      relax();
    } else if ((yields_++ < policy_.yields && yields_are_short()) || !policy_.sleeps) {
      yield_core();
    } else {
      return false;
    }
    return true;
  }

  // After work: the next answer may be near again.
  void renew() { polls_ = yields_ = 0; }

 private:
  static constexpr std::uint32_t kPollsPerLook = 16;  // at the clock

  bool spins() {
    if (policy_.spin_ticks == 0) return false;
    if (polls_++ % kPollsPerLook == 0) {
      const std::uint64_t now = ticks();
      if (polls_ == 1) {
        start_ = now;
      } else if (now - start_ > policy_.spin_ticks) {
        --polls_;  // look at the clock again at the next call
        return false;
      }
    }
    return true;
  }

  // Yields are to last about as long as the polls before them. When others use the
  // core, or somebody traces system calls, a few do.
  bool yields_are_short() const {
    return policy_.spin_ticks == 0 || ticks() - start_ < 2 * policy_.spin_ticks;
  }

  const WaitPolicy& policy_;
  std::uint64_t start_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t yields_ = 0;
};

// Calls `step(Look)` until it says done. `before_sleep` is called each time the rank
// is about to sleep and `after_sleep` when it goes on.
template <class StepFunction, class Before, class After>
void wait_until(Doorbell& bell, FenceMode fence, const WaitPolicy& policy, StepFunction step,
                Before before_sleep, After after_sleep) {
  Patience patience(policy);
  for (;;) {
    Step result = step(Look::quick);
    if (result == Step::idle) {
      if (patience.wait_a_little()) continue;
      const std::uint32_t announcement = bell.announce();
      const bool fenced = sleeper_fence(fence);
      result = step(Look::full);  // what was published before the announcement was seen
      if (result == Step::idle) {
        before_sleep();
        bell.sleep(announcement, policy.sleep_ns(fenced));
        after_sleep();
      }
      if (!policy.shared_bell) bell.withdraw();
    }
    if (result == Step::done) return;
    patience.renew();
  }
}

}  // namespace atl::shm
