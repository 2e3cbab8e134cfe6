// Blocking in MPI: polling until something has happened, and saying what for
// when it comes to sleeping.
#pragma once

#include <sched.h>

#include <cstdint>

#include "runtime/core/awaited.h"
#include "runtime/core/process.h"
#include "runtime/p2p/engine.h"
#include "shm/waiting.h"

namespace atl::p2p {

using atl::Awaited;

// What a request waits for.
Awaited awaited(const Request& request);

// The sleeps of one wait: publishes what it waits for, answers those who ask,
// and lets other threads in meanwhile.
class Sleeper {
 public:
  explicit Sleeper(const Awaited& awaited) : awaited_(awaited) {}
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  void before();
  void after();

 private:
  Awaited awaited_now() const;
  shm::WaitInfo describe() const;
  static void answer();
  void add_to(shm::ReportInfo& report) const;

  const Awaited& awaited_;
  // Other threads may call MPI meanwhile.
  const char* call_ = process.activity.call;
  const void* site_ = process.activity.site;
  std::int64_t since_ns_ = 0;  // 0: has not slept yet
  Sleeper* next_ = nullptr;

  static inline Sleeper* asleep_ = nullptr;  // a list of all that sleep
};

// Lets another thread of this process into MPI, at MPI_THREAD_MULTIPLE.
inline void let_threads_in() {
  if (__builtin_expect(process.threaded, 0)) {
    process.lock.unlock();
    ::sched_yield();
    process.lock.lock();
  }
}

// For a call that found nothing and may be made again at once: other ranks of a shared
// core, too, are to get on. Not each time, for some ask now and then while they compute.
inline void let_others_in() {
  constexpr std::uint32_t kAsked = 256;  // some 20 us
  static std::uint32_t asked = 0;
  let_threads_in();
  if (process.threaded || process.policy.spin_ticks != 0) return;
  if (++asked % kAsked == 0) ::sched_yield();
}

// Polls until `done()`. Most polls only try `near(look)`, which is where the news will
// come from; it says whether there was any.
template <class Done, class Near>
void block_until(Done done, const Awaited& awaited, Near near) {
  engine->poll_now_and_then();
  if (done()) return;
  Sleeper sleeper(awaited);
  shm::wait_until(
      process.slot().doorbell, process.fence, process.policy,
      [&](shm::Look look) {
        if (done()) return shm::Step::done;
        bool worked = near(look);
        if (look == shm::Look::full || engine->everything_due()) worked |= engine->poll(look);
        if (done()) return shm::Step::done;
        // Not at the last look: what they do then would go unnoticed.
        if (look == shm::Look::quick) let_threads_in();
        return worked ? shm::Step::worked : shm::Step::idle;
      },
      [&] { sleeper.before(); }, [&] { sleeper.after(); });
}

// Likewise, with an eye on the ring from `near`; null: on all alike.
template <class Done>
void block_until(Done done, const Awaited& awaited, Peer* near = nullptr) {
  if (near != nullptr) {
    block_until(done, awaited, [=](shm::Look) { return engine->poll_from(*near); });
  } else {
    block_until(done, awaited, [](shm::Look look) { return engine->poll(look); });
  }
}

inline void block_on(const Request& request, Peer* near = nullptr) {
  if (request.complete()) return engine->poll_now_and_then();
  block_until([&request] { return request.complete(); }, awaited(request), near);
}

// As block_on(), for a request that the call itself has made. When there is no memory for what
// comes meanwhile, the request is taken back and freed before the error (std::bad_alloc) goes
// on; where it is too late for that, it completes first.
void block_on_own(Request& request, Peer* near = nullptr);

}  // namespace atl::p2p
