// Sending: writes messages to the ring, or queues the request until there is free space.
#include <algorithm>
#include <new>

#include "base/copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/message_settings.h"
#include "runtime/p2p/wire.h"

namespace atl::p2p {
namespace {

Envelope envelope_of(const Request& request) {
  return {.context = request.context,
          .tag = request.tag,
          .source = request.communicator->rank(),
          .signature = request.signature,
          .rendezvous = request.rendezvous,
          .ready = request.mode == SendMode::ready};
}

// Offset of the message's byte `start` in its cache line; 0 for a type with gaps.
std::uint32_t phase_of(const Datatype& type, const void* buffer, std::uint64_t start) {
  if (!type.is_contiguous()) return 0;
  return reinterpret_cast<std::uintptr_t>(type.first_byte(buffer) + start) % shm::kCacheLine;
}

// The receiver read these cache lines one lap ago and may still hold them. Stores of short
// contiguous blocks would wait for line after line; long copies take ownership of the lines
// without reading their old contents. So short blocks may first be gathered in the first-level
// cache.
void pack_into_ring(Request& request, std::uint64_t latency, std::span<std::byte> fragment) {
  if (request.progress == 0 && goes_by_bands(*request.type)) {
    try {
      request.extra().packing.emplace(*request.type, request.buffer, request.bytes);
    } catch (const std::bad_alloc&) {  // pack() below is slower
    }
  }
  if (request.extras != nullptr && request.extras->packing) {
    return request.extras->packing->pack(request.progress, fragment);
  }
  if (!gathers(*request.type, latency)) {
    return request.type->pack(request.buffer, request.progress, fragment);
  }
  alignas(shm::kCacheLine) std::byte gathered[kLongFragment];
  request.type->pack(request.buffer, request.progress, std::span(gathered, fragment.size()));
  copy_bytes(fragment.data(), gathered, fragment.size());
}

bool wants_answer(const Request& request) { return request.mode == SendMode::synchronous; }

}  // namespace

Error Engine::connect(std::uint32_t world_rank) {
  Peer& peer = peers_[world_rank];
  if (peer.out_connected) return {};
  shm::Ring* ring = segment_.make_ring(process.rank, world_rank);
  if (ring == nullptr) {
    return make_error(MPI_ERR_NO_MEM, "the job segment has no room for another ring");
  }
  peer.out = shm::RingProducer(ring);
  peer.out_connected = true;
  if (settings.unexpected_bytes == 0) {  // set at both ends: holds before the receiver sets it
    shm::RingConsumer(ring).set_rendezvous_only(true);
    peer.out.refresh_open();
  }
  return {};
}

void Engine::start_send(Request& request) {
  Peer& to = peers_[request.peer_world];
  request.bytes = request.capacity();
  request.progress = 0;
  request.rendezvous = kNoRendezvous;
  request.cancelled = false;
  ++process.activity.messages;
  process.activity.bytes += request.bytes;
  if (Error error = connect(request.peer_world)) return complete(request, error);
  // Queued sends go first: messages do not overtake (MPI 5.0, 3.5).
  if (to.queued.empty() && try_send(request)) return;
  request.stage = Stage::queued;
  if (to.queued.empty() && !std::ranges::count(waiting_peers_, request.peer_world)) {
    waiting_peers_.push_back(request.peer_world);
  }
  to.queued.push_back(request);
}

bool Engine::try_send(Request& request) {
  Peer& to = peers_[request.peer_world];
  const bool begins = request.progress == 0;
  bool rts = begins && uses_rendezvous(to, request);
  if (begins && (rts || wants_answer(request)) && !take_rendezvous(request, rts)) {
    if (wants_answer(request)) return fails_without_records(request);
    rts = false;  // no free record: eager, as the receiver may be blocked on this message
  }
  const bool small = request.bytes <= PacketHeader::kSmallBytes;
  const auto pack_whole = [&](std::byte* to) {
    request.type->pack(request.buffer, 0, std::span(to, request.bytes));
  };
  const bool sent = rts     ? send_rts(to, request)
                    : small ? send_small(to, envelope_of(request), request.bytes, pack_whole)
                            : send_eager(to, request);
  if (!sent) {
    // Once the first fragment is sent the receiver knows the record, so the request retains it.
    if (request.rendezvous != kNoRendezvous && request.progress == 0) {
      rendezvous_pool_.give_back(request.rendezvous);
      request.rendezvous = kNoRendezvous;
    }
    return false;
  }
  if (request.rendezvous == kNoRendezvous) {
    complete(request);
  } else if (request.cancelled) {  // after its first fragments were sent
    retire_cancelled(request);
    complete(request);
  } else {
    request.stage = Stage::rts_sent;
    rendezvous_sends_.push_back(request);
  }
  return true;
}

// The rendezvous record is free once the receiver has acknowledged the cancelled message.
void Engine::retire_cancelled(const Request& request) {
  rendezvous_pool_.retire(request.rendezvous);
  // Relaxed: only a count, by which drop_cancelled() decides when to search.
  segment_.slot(request.peer_world).cancelled.fetch_add_relaxed(1);
}

// Whether the message's data stays in this rank until a receive matches.
bool Engine::uses_rendezvous(Peer& peer, const Request& request) {
  if (__builtin_expect(!peer.out.open(), 0)) {
    peer.out.refresh_open();
    if (!peer.out.open()) return true;
  }
  if (request.bytes <= PacketHeader::kSmallBytes) return false;
  return request.bytes > (wants_answer(request)
                              ? first_fragment_limit()
                              : eager_limit(*request.type, request.bytes, peer.out.line_latency()));
}

// A synchronous send got no rendezvous record. Fails it with MPI_ERR_NO_MEM if this rank has none
// at all; otherwise the send waits until one is free.
bool Engine::fails_without_records(Request& request) {
  if (!rendezvous_pool_.none()) return false;
  complete(request, make_error(MPI_ERR_NO_MEM, "the job's memory has no room for another message"));
  return true;
}

bool Engine::take_rendezvous(Request& request, bool rts) {
  const auto taken = rendezvous_pool_.take(request);
  if (!taken) return false;
  request.rendezvous = *taken;
  const bool contiguous = rts && request.type->is_contiguous();
  rendezvous_pool_.at(*taken).send_rts(
      contiguous ? request.type->first_byte(request.buffer) : nullptr, request.bytes);
  return true;
}

// Sends fragments while the ring has free space; false until the last is sent.
bool Engine::send_eager(Peer& peer, Request& request) {
  const std::uint32_t limit = fragment_limit(*request.type, request.count);
  while (request.progress < request.bytes) {
    const auto length = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(request.bytes - request.progress, limit));
    shm::Slot* slot = claim_next_fragment(peer, request, length);
    if (slot == nullptr) return false;
    publish_eager(peer, slot, envelope_of(request),
                  request.progress == 0 ? PacketKind::eager : PacketKind::continuation,
                  request.bytes);
    request.progress += length;
  }
  return true;
}

// Claims a slot with the next `length` bytes of the request in its payload.
shm::Slot* Engine::claim_next_fragment(Peer& peer, Request& request, std::uint32_t length) {
  const std::uint32_t phase = phase_of(*request.type, request.buffer, request.progress);
  shm::Slot* slot = claim_fragment(peer, phase, length, [&](std::byte* to) {
    pack_into_ring(request, peer.out.line_latency(), std::span(to, length));
  });
  if (slot != nullptr) budget_ -= length;
  return slot;
}

bool Engine::send_rts(Peer& peer, Request& request) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  PacketHeader& packet = new_packet_in(*slot);
  packet.kind = PacketKind::rts;
  packet.set(envelope_of(request));
  packet.large.bytes = request.bytes;
  peer.out.publish(slot);
  peer.wake();
  return true;
}

// Sends queued messages, peer after peer, while budget_ lasts.
bool Engine::flush_queued() {
  budget_ = kPollBytes;
  bool worked = false;
  for (std::size_t turns = waiting_peers_.size(); turns > 0 && budget_ > 0; --turns) {
    if (next_waiting_ >= waiting_peers_.size()) next_waiting_ = 0;
    Peer& peer = peers_[waiting_peers_[next_waiting_]];
    worked |= flush(peer);
    if (!peer.queued.empty()) {
      ++next_waiting_;
    } else {
      waiting_peers_[next_waiting_] = waiting_peers_.back();
      waiting_peers_.pop_back();
    }
  }
  return worked;
}

bool Engine::flush(Peer& peer) {
  bool worked = false;
  while (!peer.queued.empty() && budget_ > 0) {
    Request& request = peer.queued.front();
    // Out of the queue first: a send that completes may be destroyed.
    peer.queued.pop_front();
    if (!try_send(request)) {
      peer.queued.push_front(request);
      break;
    }
    worked = true;
  }
  return worked;
}

bool Engine::cancel_send(Request& request) {
  if (request.stage == Stage::queued && request.progress != 0) {
    // The first fragments are sent. The receiver discards a message whose record is cancelled.
    // The request completes when the remaining fragments are sent, which needs no matching
    // receive.
    if (request.rendezvous == kNoRendezvous || !rendezvous_pool_.at(request.rendezvous).cancel())
      return false;
    request.cancelled = true;
    return true;
  }
  if (request.stage == Stage::queued) {
    Peer& peer = peers_[request.peer_world];
    peer.queued.erase(peer.queued.iterator_to(request));
    // If the queue is empty now, the next flush_queued() removes the peer from waiting_peers_.
  } else if (request.stage == Stage::rts_sent && rendezvous_pool_.at(request.rendezvous).cancel()) {
    rendezvous_sends_.erase(rendezvous_sends_.iterator_to(request));
    retire_cancelled(request);
  } else {
    return false;
  }
  request.cancelled = true;
  complete(request);
  return true;
}

}  // namespace atl::p2p
