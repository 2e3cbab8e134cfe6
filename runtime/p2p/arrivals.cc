// Taking in what arrived: from the rings to receives, or aside.
#include <algorithm>
#include <cstring>

#include "runtime/p2p/engine.h"

namespace atl::p2p {
namespace {

// Records taken from one ring before the others get their turn.
constexpr int kBatch = 32;

}  // namespace

void Engine::find_new_rings() {
  // Pairs with the sender's fetch_add in make_ring: what it counted is in the directory.
  const std::uint32_t rings = process.slot().inbound_rings.load_acquire();
  if (__builtin_expect(rings == rings_seen_, 1)) return;
  rings_seen_ = rings;
  for (std::uint32_t sender = 0; sender < peers_.size(); ++sender) {
    Peer& peer = peers_[sender];
    shm::Ring* ring = peer.in_connected ? nullptr : segment_.ring(sender, process.rank);
    if (ring == nullptr) continue;
    peer.in = shm::RingConsumer(ring);
    peer.in_connected = true;
    senders_.push_back(sender);
  }
}

bool Engine::poll() {
  bool worked = false;
  find_new_rings();
  for (const std::uint32_t sender : senders_) worked |= drain(peers_[sender]);
  for (auto it = copying_.begin(); it != copying_.end();) {
    Request& receive = *it;
    ++it;  // the receive leaves the list when it is done
    worked |= progress_receive(receive);
  }
  for (auto it = offered_.begin(); it != offered_.end();) {
    Request& send = *it;
    ++it;
    worked |= progress_send(send);
  }
  if (__builtin_expect(!waiting_peers_.empty(), 0)) worked |= flush_queued();
  return worked;
}

bool Engine::drain(Peer& peer) {
  int taken = 0;
  while (const shm::Slot* slot = peer.in.peek()) {
    const std::uint32_t payload = take_in(peer, record_in(*slot));
    if (peer.in.release(payload)) peer.wake();  // it may wait for room
    if (++taken == kBatch) break;
  }
  return taken != 0;
}

// Returns how much payload the record has.
std::uint32_t Engine::take_in(Peer& peer, const Record& record) {
  const std::uint32_t sender = peer.in.sender();
  switch (record.kind) {
    case RecordKind::small:
      arrive(sender, record, record.data, record.small_bytes);
      return 0;
    case RecordKind::medium:
      arrive(sender, record, peer.in.payload(record.large.payload), record.large.bytes);
      return static_cast<std::uint32_t>(record.large.bytes);
    case RecordKind::offer:
      arrive(sender, record, nullptr, record.large.bytes);
      return 0;
    case RecordKind::piece:
      arrive_piece(record, peer.in.payload(record.large.payload));
      return static_cast<std::uint32_t>(record.large.bytes);
  }
  return 0;
}

// `data` is null for an offer.
void Engine::arrive(std::uint32_t sender, const Record& record, const std::byte* data,
                    std::uint64_t bytes) {
  MatchContext* context = contexts.for_arrival(record.context);
  if (context == nullptr) return;
  if (Request* receive = context->find_posted(record.source, record.tag)) {
    if (record.transfer != kNoTransfer && !take_offer(sender, record.transfer)) return;
    context->unpost(*receive);
    const bool accepted =
        match(*receive, sender, record.source, record.tag, bytes, record.signature);
    if (record.kind == RecordKind::offer) {
      answer_offer(*receive, record.transfer);
      return;
    }
    if (record.transfer != kNoTransfer) {
      segment_.transfer(sender, record.transfer).answer_received();
      peers_[sender].wake();
    }
    if (accepted) deliver(*receive, std::span(data, receive->bytes));
    complete(*receive);
    return;
  }
  auto message = std::make_unique<Unexpected>();
  message->source = record.source;
  message->tag = record.tag;
  message->bytes = bytes;
  message->signature = record.signature;
  message->sender = sender;
  message->offered = record.kind == RecordKind::offer;
  message->transfer = record.transfer;
  if (data != nullptr && bytes != 0) {
    message->data = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(message->data.get(), data, bytes);
  }
  context->keep(std::move(message));
}

// Takes the sender's offer; false when it was cancelled, and then nobody looks
// at the record again.
bool Engine::take_offer(std::uint32_t sender, std::uint32_t transfer) {
  shm::Transfer& offer = segment_.transfer(sender, transfer);
  if (offer.take()) return true;
  offer.answer_received();
  return false;
}

namespace {

// Whether a message of `bytes` may go into the receive. Less than one element
// may be the start of a mixed type, whose signature does not tell its parts.
bool types_agree(const Request& receive, std::uint64_t bytes, datatype::Signature signature) {
  const datatype::Signature expected = receive.type->signature();
  if (bytes == 0 || datatype::signatures_match(signature, expected)) return true;
  return datatype::is_mixed(expected) && bytes < receive.type->size();
}

}  // namespace

// Fills in what the status will say and compares both sides. False when the
// types do not agree: then nothing is delivered.
bool Engine::match(Request& receive, std::uint32_t sender, std::int32_t source, std::int32_t tag,
                   std::uint64_t bytes, datatype::Signature signature) {
  receive.source = source;
  receive.received_tag = tag;
  receive.peer_world = sender;
  receive.bytes = std::min(bytes, receive.capacity());
  receive.progress = 0;
  if (settings.check_signatures && !types_agree(receive, bytes, signature)) {
    receive.bytes = 0;
    const Fault fault =
        fail(MPI_ERR_TYPE, "the message from rank %d, tag %d in %s holds %s, the receive expects %s",
             source, tag, receive.communicator->label().c_str(), datatype::describe(signature).c_str(),
             receive.type->name().c_str());
    receive.error = fault.error_class();
    receive.why = std::make_unique<std::string>(fault.text());
    return false;
  }
  if (bytes > receive.capacity()) {
    const Fault fault = fail(
        MPI_ERR_TRUNCATE,
        "the message from rank %d, tag %d in %s has %llu bytes, the receive has room for %llu",
        source, tag, receive.communicator->label().c_str(), static_cast<unsigned long long>(bytes),
        static_cast<unsigned long long>(receive.capacity()));
    receive.error = fault.error_class();
    receive.why = std::make_unique<std::string>(fault.text());
  }
  return true;
}

void Engine::deliver(Request& receive, std::span<const std::byte> data) {
  receive.type->unpack(receive.buffer, 0, data);
}

Unexpected* Engine::find_message(MatchContext& context, std::int32_t source, std::int32_t tag) {
  while (Unexpected* message = context.find_unexpected(source, tag)) {
    if (message->transfer == kNoTransfer) return message;
    shm::Transfer& offer = segment_.transfer(message->sender, message->transfer);
    if (offer.state() != shm::TransferState::withdrawn) return message;
    context.take(*message);
    offer.answer_received();
  }
  return nullptr;
}

void Engine::start_receive(Request& request) {
  request.error = MPI_SUCCESS;
  request.cancelled = false;
  MatchContext& context = contexts.get(request.context);
  while (Unexpected* message = find_message(context, request.peer, request.tag)) {
    auto taken = context.take(*message);
    if (!accept(*taken)) continue;
    receive_message(request, std::move(taken));
    return;
  }
  context.post(request);
}

void Engine::receive_message(Request& request, std::unique_ptr<Unexpected> message) {
  const bool accepted = match(request, message->sender, message->source, message->tag,
                              message->bytes, message->signature);
  if (message->offered) {
    answer_offer(request, message->transfer);
    return;
  }
  if (message->transfer != kNoTransfer) {
    segment_.transfer(message->sender, message->transfer).answer_received();
    peers_[message->sender].wake();
  }
  if (accepted) deliver(request, std::span(message->data.get(), request.bytes));
  complete(request);
}

bool Engine::cancel_receive(Request& request) {
  if (request.stage != Stage::posted) return false;
  contexts.get(request.context).unpost(request);
  request.cancelled = true;
  complete(request);
  return true;
}

}  // namespace atl::p2p
