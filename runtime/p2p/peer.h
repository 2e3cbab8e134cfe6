// This rank's state for each rank of the job.
#pragma once

#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/p2p/reassembly.h"
#include "runtime/p2p/request.h"
#include "shm/ring.h"

namespace atl::p2p {

// Whether single-copy calls reach a process, as the first attempt shows.
enum class Reach : std::uint8_t { untried, works, refused };

struct Peer {
  shm::RingProducer out;
  shm::RingConsumer in;
  bool out_connected = false;
  bool in_connected = false;
  Reach reach = Reach::untried;
  int pid = 0;  // if `reach` is works; a copy, since the rank slot may be damaged
  shm::Doorbell* bell = nullptr;
  RequestList queued;  // waiting sends in order; the first may be partly sent
  Reassembly reassembly;

  // No send is queued and the receiver accepts eager messages: a send may write to the ring at
  // once.
  bool ready() const { return out.open() && queued.empty(); }

  // To be called after publishing anything for that rank. waker_fence() pairs with sleeper_fence().
  void wake() const {
    shm::waker_fence(process.fence);
    bell->ring();
  }
};

}  // namespace atl::p2p
