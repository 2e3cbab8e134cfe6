// Blocking and waking of ranks: one futex word (doorbell) per rank.
//
// A rank that found nothing to do announces that it is about to block, polls once more, and
// blocks. A rank that published something for it checks the announcement and wakes it. A wake-up
// would be lost if the sleeper's last poll came before the publication and the waker's check
// before the announcement. To exclude this, both sides need a full fence between their store and
// their load. The waker's side runs for every message, so it has only a compiler barrier, and the
// sleeper pays for both sides with membarrier(2), which makes every running thread of the
// registered processes execute a full fence. Where membarrier is missing, both sides execute the
// fence themselves.
//
// membarrier may be missing in some of the job's processes only, for example in a container with
// its own system call filter. Such a process executes the fence itself when it wakes others. When
// it sleeps, it cannot make the others fence and might miss a wake-up. It therefore sleeps only for
// a short time (WaitPolicy::sleep_ns()), unless all others fence for themselves too.
//
// Checked by shm/model/ring.pml and, for several threads of one rank, bell.pml.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

// Which fence a process uses between publishing and checking a doorbell.
enum class FenceMode : std::uint8_t {
  symmetric,   // wakers and sleepers both execute a full fence
  asymmetric,  // registered for membarrier: sleepers fence for both sides
  alone,       // others are asymmetric, but membarrier is refused to this process
};

// True when membarrier's global expedited command works in this process.
bool membarrier_works();

// Registers this process, so that a sleeper's membarrier reaches its threads. Every rank calls
// this before it publishes anything. False when the system refuses.
bool register_for_membarrier();

// Fence of the sleeper, between announce() and the last poll. Afterwards either the waker's
// publication is visible here, or the waker's check sees the announcement. False: this holds only
// for wakers that execute a full fence themselves.
bool sleeper_fence(FenceMode mode);

// Fence of the waker, between publishing and checking the doorbell.
inline void waker_fence(FenceMode mode) {
  if (__builtin_expect(mode == FenceMode::asymmetric, 1)) {
    // Pairs with sleeper_fence(), whose membarrier executes a full fence here.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    full_fence();  // pairs with sleeper_fence()
  }
}

class Doorbell {
 public:
  // Called by the owner before it sleeps. sleeper_fence() and one more poll must follow. Pass the
  // result to sleep().
  std::uint32_t announce() {
    // Pairs with wake()'s compare-exchange. sleeper_fence() orders it before the last poll.
    return word_.fetch_or_acq_rel(1) | 1;
  }

  // Called by the owner when it found work after announce(), but not while another thread of the
  // owner may sleep.
  void cancel_announcement() {
    // Pairs with wake()'s compare-exchange. No order is needed: a superfluous wake is harmless.
    word_.fetch_and_acq_rel(~1u);
  }

  // Called by the owner: sleeps until the doorbell is rung after that announcement, or until
  // `timeout_ns` passed (negative: no limit). May return early without cause, as futexes do.
  void sleep(std::uint32_t announcement, std::int64_t timeout_ns);

  // Called by any process, after it published work for the owner and executed waker_fence().
  void ring() {
    if (__builtin_expect(announced(), 0)) wake();
  }

  // For observers: odd while the owner sleeps or is about to, and a new value after every wake.
  // Relaxed: the observer orders its reads itself.
  std::uint32_t word() const { return word_.load_relaxed(); }

  // Relaxed: waker_fence() orders it after the publication.
  bool announced() const { return (word_.load_relaxed() & 1) != 0; }

 private:
  void wake();

  // Odd: the owner sleeps or is about to. A wake increments it to the next even number. A thread
  // that is woken between announce() and sleep() therefore does not sleep, even if another thread
  // has announced since.
  Shared<std::uint32_t> word_;
};

}  // namespace atl::shm
