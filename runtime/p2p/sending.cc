// The sender's first half: into the ring, or into the queue that waits for room.
#include <algorithm>
#include <new>

#include "base/copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/wire.h"

namespace atl::p2p {
namespace {

Envelope envelope_of(const Request& request) {
  return {.context = request.context,
          .tag = request.tag,
          .source = request.communicator->rank(),
          .signature = request.signature,
          .transfer = request.transfer,
          .ready = request.mode == SendMode::ready};
}

// Where the byte `start` of the message lies in its cache line, when it is one run.
std::uint32_t phase_of(const Datatype& type, const void* buffer, std::uint64_t start) {
  if (!type.flat()) return 0;
  return reinterpret_cast<std::uintptr_t>(type.run(buffer) + start) % shm::kCacheLine;
}

// The receiver read these lines a lap ago and may still have them. The stores of short
// runs would wait for line after line; long copies take the lines without their old
// contents. So short runs may be gathered in the first-level cache on the way.
void pack_into_ring(Request& request, std::uint64_t hop, std::span<std::byte> piece) {
  if (request.progress == 0 && goes_by_bands(*request.type)) {
    try {
      request.extra().packing.emplace(*request.type, request.buffer, request.bytes);
    } catch (const std::bad_alloc&) {  // slower without
    }
  }
  if (request.extras != nullptr && request.extras->packing) {
    return request.extras->packing->pack(request.progress, piece);
  }
  if (!gathers(*request.type, hop)) {
    return request.type->pack(request.buffer, request.progress, piece);
  }
  alignas(shm::kCacheLine) std::byte gathered[kLongPiece];
  request.type->pack(request.buffer, request.progress, std::span(gathered, piece.size()));
  copy_bytes(piece.data(), gathered, piece.size());
}

bool wants_answer(const Request& request) { return request.mode == SendMode::synchronous; }

}  // namespace

Fault Engine::connect(std::uint32_t world_rank) {
  Peer& peer = peers_[world_rank];
  if (peer.out_connected) return {};
  shm::Ring* ring = segment_.make_ring(process.rank, world_rank);
  if (ring == nullptr) {
    return fail(MPI_ERR_NO_MEM, "the job segment has no room for another ring");
  }
  peer.out = shm::RingProducer(ring);
  peer.out_connected = true;
  if (settings.unexpected_bytes == 0) {  // at both ends: not even before the receiver says so
    shm::RingConsumer(ring).set_offers_only(true);
    peer.out.look_whether_open();
  }
  return {};
}

void Engine::start_send(Request& request) {
  Peer& to = peers_[request.peer_world];
  request.bytes = request.capacity();
  request.progress = 0;
  request.transfer = kNoTransfer;
  request.cancelled = false;
  ++process.activity.messages;
  process.activity.bytes += request.bytes;
  if (Fault fault = connect(request.peer_world)) return complete(request, fault);
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
  bool offer = begins && goes_by_offer(to, request);
  if (begins && (offer || wants_answer(request)) && !take_transfer(request, offer)) {
    if (wants_answer(request)) return fails_for_good(request);
    offer = false;  // there are no more records: the receiver may wait for this very message
  }
  const bool small = request.bytes <= Record::kSmallBytes;
  const auto pack_whole = [&](std::byte* to) {
    request.type->pack(request.buffer, 0, std::span(to, request.bytes));
  };
  const bool sent = offer   ? send_offer(to, request)
                    : small ? send_small(to, envelope_of(request), request.bytes, pack_whole)
                            : send_eager(to, request);
  if (!sent) {
    // Where a fragment is out already it has named the record to the receiver.
    if (request.transfer != kNoTransfer && request.progress == 0) {
      transfers_.give_back(request.transfer);
      request.transfer = kNoTransfer;
    }
    return false;
  }
  if (request.transfer == kNoTransfer) {
    complete(request);
  } else if (request.cancelled) {  // while it was queued
    retire_withdrawn(request);
    complete(request);
  } else {
    request.stage = Stage::offered;
    offered_.push_back(request);
  }
  return true;
}

// Its record is free when the receiver has met it.
void Engine::retire_withdrawn(const Request& request) {
  transfers_.retire(request.transfer);
  // Relaxed: a count that says when it is worth while to look.
  segment_.slot(request.peer_world).withdrawn.fetch_add_relaxed(1);
}

// Whether the message stays here until its receive asks for it.
bool Engine::goes_by_offer(Peer& peer, const Request& request) {
  if (__builtin_expect(!peer.out.open(), 0)) {
    peer.out.look_whether_open();
    if (!peer.out.open()) return true;
  }
  if (request.bytes <= Record::kSmallBytes) return false;
  return request.bytes > (wants_answer(request)
                              ? first_piece_limit()
                              : eager_limit(*request.type, request.bytes, peer.out.hop()));
}

// A synchronous send without a record. It waits for one, if there are any.
bool Engine::fails_for_good(Request& request) {
  if (!transfers_.none()) return false;
  complete(request, fail(MPI_ERR_NO_MEM, "the job's memory has no room for another message"));
  return true;
}

bool Engine::take_transfer(Request& request, bool offer) {
  const auto taken = transfers_.take(request);
  if (!taken) return false;
  request.transfer = *taken;
  const bool one_run = offer && request.type->flat();
  transfers_.at(*taken).offer(one_run ? request.type->run(request.buffer) : nullptr, request.bytes);
  return true;
}

// Piece after piece, as far as there is room; false when it is not all out.
bool Engine::send_eager(Peer& peer, Request& request) {
  const std::uint32_t limit = piece_limit(*request.type, request.count);
  while (request.progress < request.bytes) {
    const auto length = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(request.bytes - request.progress, limit));
    shm::Slot* slot = claim_piece(peer, request, length);
    if (slot == nullptr) return false;
    publish_eager(peer, slot, envelope_of(request),
                  request.progress == 0 ? RecordKind::eager : RecordKind::more, request.bytes);
    request.progress += length;
  }
  return true;
}

// Claims a slot with the next `length` bytes of the request in its payload.
shm::Slot* Engine::claim_piece(Peer& peer, Request& request, std::uint32_t length) {
  const std::uint32_t phase = phase_of(*request.type, request.buffer, request.progress);
  shm::Slot* slot = claim_fragment(peer, phase, length, [&](std::byte* to) {
    pack_into_ring(request, peer.out.hop(), std::span(to, length));
  });
  if (slot != nullptr) budget_ -= length;
  return slot;
}

bool Engine::send_offer(Peer& peer, Request& request) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  Record& record = new_record_in(*slot);
  record.kind = RecordKind::offer;
  record.set(envelope_of(request));
  record.large.bytes = request.bytes;
  peer.out.publish(slot);
  peer.wake();
  return true;
}

// One peer after the other, as far as the budget goes.
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
    // A part of it is out. The receiver drops what a withdrawn record belongs to, and the
    // request is over when the rest is out, for which the receiver need not receive it.
    if (request.transfer == kNoTransfer || !transfers_.at(request.transfer).withdraw())
      return false;
    request.cancelled = true;
    return true;
  }
  if (request.stage == Stage::queued) {
    Peer& peer = peers_[request.peer_world];
    peer.queued.erase(peer.queued.iterator_to(request));
    // A queue left empty leaves waiting_peers_ at the next flush.
  } else if (request.stage == Stage::offered && transfers_.at(request.transfer).withdraw()) {
    offered_.erase(offered_.iterator_to(request));
    retire_withdrawn(request);
  } else {
    return false;
  }
  request.cancelled = true;
  complete(request);
  return true;
}

}  // namespace atl::p2p
