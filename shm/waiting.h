// How a rank waits: it spins, then yields, then sleeps on its doorbell.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "shm/doorbell.h"

namespace atl::shm {

// The limits of each stage of a wait.
struct WaitPolicy {
  std::uint64_t spin_ticks = 0;        // ticks (base/clock.h) of spinning
  std::uint32_t yields = 0;            // number of sched_yield calls, with a poll after each
  bool sleeps = true;                  // false: yield forever (for measurements)
  std::int64_t longest_sleep_ns = -1;  // then wait_until() calls after_sleep(); -1: no limit
  // Several threads may sleep on the doorbell. No thread withdraws an announcement then, because
  // it cannot know whether another thread sleeps.
  bool shared_bell = false;
  // Number of the job's processes that are FenceMode::asymmetric; null: not known.
  const Shared<std::uint32_t>* asymmetric = nullptr;

  // How long a rank may sleep, in ns; `fenced` is the result of sleeper_fence().
  std::int64_t sleep_ns(bool fenced) const {
    constexpr std::int64_t kShort = 10000000;
    // Relaxed: ordered by the full fence of this sleeper, and by a fence that each process executes
    // after it has counted itself. Either this rank sees the count, or that process sees the
    // announcement.
    if (fenced || (asymmetric != nullptr && asymmetric->load_relaxed() == 0)) {
      return longest_sleep_ns;
    }
    return longest_sleep_ns < 0 ? kShort : std::min(longest_sleep_ns, kShort);
  }

  // For ranks with a core each: a long spin pays, because a partner usually replies soon.
  static WaitPolicy own_core();
  // For ranks that share cores: no spin, because it would delay the other ranks of the core.
  static WaitPolicy shared_core();
};

// Executes the processor's pause instruction, between two polls.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void yield_core();

// How thorough a step of polling is.
enum class PollMode : std::uint8_t {
  fast,      // may skip sources that are unlikely to have anything new
  complete,  // the last poll before sleeping: must see everything that was published
};

// The result of one step of polling.
enum class Step : std::uint8_t {
  idle,    // nothing to do until another rank acts
  worked,  // made progress, or has work left
  done,    // the condition of the wait is true
};

// The state of one wait: in which stage it is, and since when.
class Patience {
 public:
  explicit Patience(const WaitPolicy& policy) : policy_(policy) {}

  // Called after an idle step: pauses or yields. False: it is time to sleep.
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

  // Called after progress: the wait starts again with spinning.
  void renew() { polls_ = yields_ = 0; }

 private:
  static constexpr std::uint32_t kPollsPerClockRead = 16;  // polls per reading of the clock

  bool spins() {
    if (policy_.spin_ticks == 0) return false;
    if (polls_++ % kPollsPerClockRead == 0) {
      const std::uint64_t now = ticks();
      if (polls_ == 1) {
        start_ = now;
      } else if (now - start_ > policy_.spin_ticks) {
        --polls_;  // so that the next call reads the clock again
        return false;
      }
    }
    return true;
  }

  // The yields should last about as long as the spinning before them. When other processes use the
  // core, or system calls are traced, a few yields take that long.
  bool yields_are_short() const {
    return policy_.spin_ticks == 0 || ticks() - start_ < 2 * policy_.spin_ticks;
  }

  const WaitPolicy& policy_;
  std::uint64_t start_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t yields_ = 0;
};

// Calls `step(PollMode)` until it returns Step::done. Calls `before_sleep` before each sleep and
// `after_sleep` after it.
template <class StepFunction, class Before, class After>
void wait_until(Doorbell& bell, FenceMode fence, const WaitPolicy& policy, StepFunction step,
                Before before_sleep, After after_sleep) {
  Patience patience(policy);
  for (;;) {
    Step result = step(PollMode::fast);
    if (result == Step::idle) {
      if (patience.wait_a_little()) continue;
      const std::uint32_t announcement = bell.announce();
      const bool fenced = sleeper_fence(fence);  // pairs with waker_fence()
      result = step(PollMode::complete);         // sees what was published before the announcement
      if (result == Step::idle) {
        before_sleep();
        bell.sleep(announcement, policy.sleep_ns(fenced));
        after_sleep();
      }
      if (!policy.shared_bell) bell.cancel_announcement();
    }
    if (result == Step::done) return;
    patience.renew();
  }
}

}  // namespace atl::shm
