// Blocking in MPI: a call polls until its condition holds, and publishes what it waits for before
// it sleeps.
#pragma once

#include <sched.h>

#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/core/wait_description.h"
#include "runtime/p2p/engine.h"
#include "shm/waiting.h"

namespace atl::p2p {

using atl::WaitDescription;

// What a request waits for.
WaitDescription wait_description(const Request& request);

// The sleeps of one blocking call: publishes what the call waits for, answers the questions of
// mpiexec, and releases the process lock while the thread sleeps.
class BlockedWait {
 public:
  explicit BlockedWait(const WaitDescription& description) : wait_description_(description) {}
  BlockedWait(const BlockedWait&) = delete;
  BlockedWait& operator=(const BlockedWait&) = delete;

  void before();
  void after();

 private:
  WaitDescription current_wait() const;
  shm::WaitInfo describe() const;
  static void answer();
  void add_to(shm::ReportInfo& report) const;

  const WaitDescription& wait_description_;
  // Saved, since other threads may call MPI while this one sleeps.
  const char* call_ = process.activity.call;
  const void* site_ = process.activity.site;
  std::int64_t since_ns_ = 0;  // start of the first sleep; 0: has not slept yet
  BlockedWait* next_ = nullptr;

  static inline BlockedWait* asleep_ = nullptr;  // list of all sleeping threads of this process
};

// Lets another thread of this process into MPI, at MPI_THREAD_MULTIPLE.
inline void yield_to_threads() {
  if (__builtin_expect(process.threaded, 0)) {
    process.lock.unlock();
    ::sched_yield();
    process.lock.lock();
  }
}

// After an unsuccessful MPI_Test, occasionally yield when oversubscribed. Not after each, since
// some programs test occasionally while they compute.
inline void yield_to_others() {
  constexpr std::uint32_t kAsked = 256;  // calls, some 20 us
  static std::uint32_t asked = 0;
  yield_to_threads();
  if (process.threaded || process.policy.spin_ticks != 0) return;
  if (++asked % kAsked == 0) ::sched_yield();
}

// Polls until `done()`. Most polls only call `near(mode)`, which polls where the awaited data
// will arrive and returns true when it made progress.
template <class Done, class Near>
void block_until(Done done, const WaitDescription& description, Near near) {
  engine->poll_now_and_then();
  if (done()) return;
  BlockedWait sleeper(description);
  shm::wait_until(
      process.slot().doorbell, process.fence, process.policy,
      [&](shm::PollMode mode) {
        if (done()) return shm::Step::done;
        bool worked = near(mode);
        if (mode == shm::PollMode::complete || engine->full_poll_due())
          worked |= engine->poll(mode);
        if (done()) return shm::Step::done;
        // Not in the last poll before sleeping: it would miss what the other threads do then.
        if (mode == shm::PollMode::fast) yield_to_threads();
        return worked ? shm::Step::worked : shm::Step::idle;
      },
      [&] { sleeper.before(); }, [&] { sleeper.after(); });
}

// The same, mostly polling the ring from `near`; null: polls everything.
template <class Done>
void block_until(Done done, const WaitDescription& description, Peer* near = nullptr) {
  if (near != nullptr) {
    block_until(done, description, [=](shm::PollMode) { return engine->poll_from(*near); });
  } else {
    block_until(done, description, [](shm::PollMode mode) { return engine->poll(mode); });
  }
}

inline void block_on(const Request& request, Peer* near = nullptr) {
  if (request.complete()) return engine->poll_now_and_then();
  block_until([&request] { return request.complete(); }, wait_description(request), near);
}

// As block_on(), for a request that the call itself has made. When there is no memory for a
// message that arrives meanwhile, the request is cancelled and freed before the error
// (std::bad_alloc) propagates; a request that can no longer be cancelled completes instead.
void block_on_own(Request& request, Peer* near = nullptr);

}  // namespace atl::p2p
