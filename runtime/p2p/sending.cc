// The sender's first half: into the ring, or into the queue that waits for room.
#include <algorithm>

#include "runtime/p2p/engine.h"

namespace atl::p2p {
namespace {

void fill_envelope(Record& record, const Request& request, std::uint32_t transfer) {
  record.context = request.context;
  record.tag = request.tag;
  record.source = request.communicator->rank();
  record.signature = request.signature;
  record.transfer = transfer;
}

bool wants_answer(const Request& request) { return request.mode == SendMode::synchronous; }

}  // namespace

bool Engine::connect(Peer& peer, std::uint32_t world_rank) {
  if (peer.out_connected) return true;
  shm::Ring* ring = segment_.make_ring(process.rank, world_rank);
  if (ring == nullptr) return false;
  peer.out = shm::RingProducer(ring);
  peer.out_connected = true;
  return true;
}

void Engine::start_send(Request& request) {
  Peer& to = peers_[request.peer_world];
  request.bytes = request.capacity();
  request.progress = 0;
  request.cancelled = false;
  if (!connect(to, request.peer_world)) {
    complete(request, fail(MPI_ERR_NO_MEM, "the job segment has no room for another ring"));
    return;
  }
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
  const bool small = request.bytes <= Record::kSmallBytes;
  const bool offer = !small && request.bytes > settings.eager_bytes;
  std::uint32_t transfer = kNoTransfer;
  if (offer || wants_answer(request)) {
    const auto taken = transfers_.take();
    if (!taken) return false;
    transfer = *taken;
    const bool one_run = offer && request.type->flat();
    transfers_.at(transfer).offer(one_run ? request.type->run(request.buffer) : nullptr,
                                  request.bytes);
    request.transfer = transfer;
  }
  const bool sent = small   ? send_small(to, request, transfer)
                    : offer ? send_offer(to, request, transfer)
                            : send_medium(to, request, transfer);
  if (!sent) {
    if (transfer != kNoTransfer) transfers_.give_back(transfer);
    return false;
  }
  to.wake();
  if (transfer != kNoTransfer) {
    request.stage = Stage::offered;
    offered_.push_back(request);
  } else {
    complete(request);
  }
  return true;
}

bool Engine::send_small(Peer& peer, Request& request, std::uint32_t transfer) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  Record& record = record_in(*slot);
  record.kind = RecordKind::small;
  record.small_bytes = static_cast<std::uint8_t>(request.bytes);
  fill_envelope(record, request, transfer);
  request.type->pack(request.buffer, 0, std::span(record.data, request.bytes));
  peer.out.publish(slot);
  return true;
}

bool Engine::send_medium(Peer& peer, Request& request, std::uint32_t transfer) {
  std::uint32_t index = 0;
  shm::Slot* slot = peer.out.claim(static_cast<std::uint32_t>(request.bytes), index);
  if (slot == nullptr) return false;
  Record& record = record_in(*slot);
  record.kind = RecordKind::medium;
  fill_envelope(record, request, transfer);
  record.large.bytes = request.bytes;
  record.large.payload = index;
  request.type->pack(request.buffer, 0, std::span(peer.out.payload(index), request.bytes));
  peer.out.publish(slot);
  return true;
}

bool Engine::send_offer(Peer& peer, Request& request, std::uint32_t transfer) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  Record& record = record_in(*slot);
  record.kind = RecordKind::offer;
  fill_envelope(record, request, transfer);
  record.large.bytes = request.bytes;
  peer.out.publish(slot);
  return true;
}

bool Engine::flush_queued() {
  bool worked = false;
  for (std::size_t i = 0; i < waiting_peers_.size();) {
    Peer& peer = peers_[waiting_peers_[i]];
    while (!peer.queued.empty()) {
      Request& request = peer.queued.front();
      // Out of the queue first: a send that completes may be destroyed.
      peer.queued.pop_front();
      if (!try_send(request)) {
        peer.queued.push_front(request);
        break;
      }
      worked = true;
    }
    if (peer.queued.empty()) {
      waiting_peers_[i] = waiting_peers_.back();
      waiting_peers_.pop_back();
    } else {
      ++i;
    }
  }
  return worked;
}

bool Engine::cancel_send(Request& request) {
  if (request.stage == Stage::queued) {
    Peer& peer = peers_[request.peer_world];
    peer.queued.erase(peer.queued.iterator_to(request));
    // A queue left empty leaves waiting_peers_ at the next flush.
  } else if (request.stage == Stage::offered && transfers_.at(request.transfer).withdraw()) {
    offered_.erase(offered_.iterator_to(request));
    transfers_.retire(request.transfer);  // until the receiver has met the record
  } else {
    return false;
  }
  request.cancelled = true;
  complete(request);
  return true;
}

}  // namespace atl::p2p
