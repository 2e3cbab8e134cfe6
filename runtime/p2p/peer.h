// The other ranks of the job, as this one talks to them.
#pragma once

#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/p2p/matching.h"
#include "runtime/p2p/request.h"
#include "shm/ring.h"

namespace atl::p2p {

// Whether single-copy calls reach a process; found out by trying once.
enum class Reach : std::uint8_t { untried, works, refused };

struct Peer {
  shm::RingProducer out;
  shm::RingConsumer in;
  bool out_connected = false;
  bool in_connected = false;
  Reach reach = Reach::untried;
  int pid = 0;  // where it works; kept, since what is in the slot may be damaged
  shm::Doorbell* bell = nullptr;
  RequestList queued;  // sends to it that wait, in order; the first may be half sent
  Inflow inflow;

  // Nothing waits and the receiver takes what it has not asked for: a send may go straight in.
  bool ready() const { return out.open() && queued.empty(); }

  // After publishing anything for it.
  void wake() const {
    shm::waker_fence(process.fence);
    bell->ring();
  }
};

}  // namespace atl::p2p
