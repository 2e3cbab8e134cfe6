// Blocking in MPI: polling until something has happened, and saying what for
// when it comes to sleeping.
#pragma once

#include <sched.h>

#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/p2p/engine.h"
#include "shm/waiting.h"

namespace atl::p2p {

// What the launcher shows of a rank that sleeps.
struct Awaited {
  const Communicator* communicator = nullptr;
  std::int32_t peer = MPI_PROC_NULL;  // rank in the communicator
  std::int32_t tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;
  std::uint32_t requests = 1;
};

inline Awaited awaited(const Request& request) {
  return {request.communicator, request.peer, request.tag,
          request.type != nullptr ? request.capacity() : 0, 1};
}

// Around a sleep: publishes the wait record and lets other threads in.
void before_sleep(const Awaited& awaited);
void after_sleep();

// Lets another thread of this process into MPI, at MPI_THREAD_MULTIPLE.
inline void let_others_in() {
  if (__builtin_expect(process.threaded, 0)) {
    process.lock.unlock();
    ::sched_yield();
    process.lock.lock();
  }
}

// Polls until `done()`. With `near`, most polls look only at the ring from
// that peer, which is where the news will come from.
template <class Done>
void block_until(Done done, const Awaited& awaited, Peer* near = nullptr) {
  constexpr std::uint32_t kNearPolls = 8;  // for one poll of everything
  std::uint32_t polls = 0;
  shm::wait_until(
      process.slot().doorbell, process.fence, process.policy,
      [&](shm::Look look) {
        if (done()) return shm::Step::done;
        const bool only_near =
            near != nullptr && look == shm::Look::quick && ++polls % kNearPolls != 0;
        const bool worked = only_near ? engine->poll_from(*near) : engine->poll();
        if (done()) return shm::Step::done;
        if (worked) return shm::Step::worked;
        // Not at the last look: what they do then would go unnoticed.
        if (look == shm::Look::quick) let_others_in();
        return shm::Step::idle;
      },
      [&] { before_sleep(awaited); }, [] { after_sleep(); });
}

inline void block_on(const Request& request, Peer* near = nullptr) {
  block_until([&request] { return request.complete(); }, awaited(request), near);
}

}  // namespace atl::p2p
