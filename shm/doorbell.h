// The sleep and wake half of waiting: one futex word a rank.
//
// A rank that found nothing to do announces that it is about to sleep, looks
// once more, and sleeps. A rank that published something for it looks at the
// announcement and wakes it. What must not happen is that both miss each
// other: the sleeper's last look comes before the publication, and the waker's
// look before the announcement. That takes a full fence between the store and
// the load on both sides. The waker's side is every message, so it pays only a
// compiler barrier, and the sleeper pays for both with membarrier(2), which
// makes every running thread of the registered processes pass a full fence.
// Where membarrier is missing both sides fence for themselves.
//
// It may be missing in some of the job's processes only, as in a container with rules
// of its own. Such a process fences for itself when it wakes others. When it sleeps it
// cannot make the others fence, and might miss a ring: so it sleeps only shortly, unless
// all others fence for themselves too.
//
// Checked by shm/model/ring.pml and, for several threads of one rank, bell.pml.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

// Which fence a process uses between publishing and looking at the doorbell.
enum class FenceMode : std::uint8_t {
  symmetric,   // everybody fences
  asymmetric,  // registered for membarrier: only sleepers fence, for all
  alone,       // others are asymmetric, but membarrier is refused to this process
};

// True when membarrier's global expedited command works here.
bool membarrier_works();

// Makes this process one that a sleeper's membarrier reaches. Every rank calls
// it before it publishes anything. False when the system refuses.
bool register_for_membarrier();

// Sleeper's fence: after it, whatever a waker published before its own look is
// visible here, or its look sees the announcement. False: that holds only for wakers
// that fence for themselves.
bool sleeper_fence(FenceMode mode);

// Waker's fence.
inline void waker_fence(FenceMode mode) {
  if (__builtin_expect(mode == FenceMode::asymmetric, 1)) {
    // The sleeper's membarrier is the partner: it puts a full fence here.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    full_fence();  // pairs with the one in sleeper_fence()
  }
}

class Doorbell {
 public:
  // Owner: says that it is about to sleep. A sleeper_fence() and one more look
  // for work must follow. The result is for sleep().
  std::uint32_t announce() {
    return word_.fetch_or_acq_rel(1) | 1;  // ordered by sleeper_fence()
  }

  // Owner: found work after announcing. Not while another thread of the owner
  // may sleep.
  void withdraw() {
    word_.fetch_and_acq_rel(~1u);  // no order needed: a ring too much does no harm
  }

  // Owner: sleeps until rung after that announcement, or until `timeout_ns`
  // passed (negative: no limit). May return early without cause, as futexes do.
  void sleep(std::uint32_t announcement, std::int64_t timeout_ns);

  // Anyone, after publishing work for the owner and a waker_fence().
  void ring() {
    if (__builtin_expect(announced(), 0)) wake();
  }

  // For those who watch: odd while the owner sleeps or is about to, and another
  // number after every ring. Relaxed: the watcher orders its looks.
  std::uint32_t word() const { return word_.load_relaxed(); }

  // Relaxed: waker_fence() orders it behind what was published.
  bool announced() const { return (word_.load_relaxed() & 1) != 0; }

 private:
  void wake();

  // Odd: the owner sleeps or is about to. A ring makes it the next even number,
  // so that a thread which was rung before it slept does not sleep, even when
  // another thread announced since.
  Shared<std::uint32_t> word_;
};

}  // namespace atl::shm
