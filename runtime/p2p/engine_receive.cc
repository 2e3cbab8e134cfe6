// Receiving: moves packets from the rings to posted receives or to the unexpected queue.
#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/message_settings.h"
#include "runtime/p2p/wire.h"
#include "runtime/type/type_handles.h"

namespace atl::p2p {

void Engine::find_new_rings() {
  // Pairs with the sender's fetch_add in Segment::make_ring(): the rings that it counted are in
  // the directory.
  const std::uint32_t rings = process.slot().inbound_rings.load_acquire();
  if (__builtin_expect(rings == rings_seen_, 1)) return;
  rings_seen_ = rings;
  for (std::uint32_t sender = 0; sender < peers_.size(); ++sender) {
    Peer& peer = peers_[sender];
    shm::Ring* ring = peer.in_connected ? nullptr : segment_.ring(sender, process.rank);
    if (ring == nullptr) continue;
    peer.in = shm::RingConsumer(ring);
    peer.in_connected = true;
    if (rendezvous_only_) peer.in.set_rendezvous_only(true);
    rings_.add(sender);
  }
}

// Asks the operations in a list for progress until budget_ is spent, starting where the last poll
// stopped. A fast poll asks at most kMostProgressed of them. A complete poll goes on beyond that
// number as long as none of them makes progress.
template <class Progress>
bool Engine::progress_some(RequestList& list, shm::PollMode mode, Progress progress) {
  if (__builtin_expect(list.empty(), 1)) return false;
  budget_ = kPollBytes;
  bool worked = false;
  bool all = false;
  const Request* const last = &list.back();
  for (std::size_t turn = 0; !all && !list.empty() && budget_ > 0; ++turn) {
    if (turn >= kMostProgressed && (worked || mode != shm::PollMode::complete)) break;
    Request& request = list.front();
    all = &request == last;  // compared first: progress() may destroy it
    list.splice(list.end(), list, list.begin());
    worked |= progress(request);
  }
  return worked;
}

bool Engine::poll(shm::PollMode mode, int most, const Peer* except) {
  calls_until_poll_ = kCallsPerPoll;
  find_new_rings();
  budget_ = kPollBytes;
  bool worked = rings_.visit(mode, [&](std::uint32_t sender) {
    Peer& peer = peers_[sender];
    if (&peer == except || !drain(peer, most)) return InboundRings::Found::nothing;
    return budget_ > 0 ? InboundRings::Found::news : InboundRings::Found::enough;
  });
  worked |= progress_some(single_copy_receives_, mode,
                          [this](Request& one) { return progress_receive(one); });
  worked |=
      progress_some(rendezvous_sends_, mode, [this](Request& one) { return progress_send(one); });
  if (__builtin_expect(!waiting_peers_.empty(), 0)) worked |= flush_queued();
  if (__builtin_expect(!callbacks_.empty(), 0)) worked |= run_progress_callbacks(mode);
  if (__builtin_expect(!deferred_.empty(), 0)) {
    run_deferred();
    worked = true;
  }
  if (__builtin_expect(rendezvous_only_, 0)) limit_unexpected();
  if (__builtin_expect(out_of_memory_ && !worked, 0)) worked = retry_unexpected();
  return worked;
}

// Called when a poll can do nothing but receive messages for which there was no memory. If memory
// is still short it throws: the call fails with MPI_ERR_NO_MEM and may be repeated, since the
// messages stay in their rings.
bool Engine::retry_unexpected() {
  out_of_memory_ = false;
  bool worked = false;
  rings_.for_each([&](std::uint32_t sender) { worked |= drain(peers_[sender]); });
  if (out_of_memory_ && !worked) throw std::bad_alloc();
  return worked;
}

// The hot path of receive_packet(): a complete message that matches the oldest posted receive
// from its source. False, with nothing changed, in all other cases.
[[gnu::always_inline]] inline bool Engine::receive_at_once(const Peer& peer,
                                                           const PacketHeader& packet) {
  MatchContext* context = contexts.find(packet.context);
  MatchContext::PostedQueue* queue = nullptr;
  Request* receive =
      context == nullptr ? nullptr : context->first_posted(packet.source, packet.tag, queue);
  if (receive == nullptr || !fits(packet, *receive->type, receive->capacity())) return false;
  context->unpost_first(*queue);
  receive->source = packet.source;
  receive->received_tag = packet.tag;
  receive->bytes = copy_whole(peer, packet, receive->type->first_byte(receive->buffer));
  receive->stage = Stage::complete;
  count_down(*receive);
  wake_sleepers();
  if (__builtin_expect(receive->detached, 0)) end_detached(*receive);
  return true;
}

bool Engine::drain(Peer& peer, int most) {
  int taken = 0;
  while (const shm::Slot* slot = peer.in.peek()) {
    peer.in.prefetch();
    const PacketHeader& packet = packet_in(*slot);
    if (!receive_at_once(peer, packet) && !dispatch_packet(peer, packet)) {
      out_of_memory_ = true;
      break;
    }
    const std::uint32_t bytes = payload_bytes(packet);
    budget_ -= bytes;
    if (bytes == 0 ? peer.in.release() : peer.in.release(bytes)) peer.wake();  // may wait for space
    if (++taken == most || budget_ <= 0) break;
  }
  return taken != 0;
}

bool Engine::dispatch_packet(Peer& peer, const PacketHeader& packet) {
  constexpr const char* kNoRecord = "a ring brings what is no record";
  const auto payload = [&] {
    const std::uint32_t length = packet.large.length;
    return std::span(peer.in.payload(packet.large.payload, length), length);
  };
  switch (packet.kind) {
    case PacketKind::small:
      ATL_CHECK(packet.small_bytes <= PacketHeader::kSmallBytes, kNoRecord);
      return receive_packet(peer, packet, std::span(packet.data, packet.small_bytes),
                            packet.small_bytes);
    case PacketKind::eager: return receive_packet(peer, packet, payload(), packet.large.bytes);
    case PacketKind::continuation: receive_continuation(peer, payload()); break;
    case PacketKind::rts: return receive_packet(peer, packet, {}, packet.large.bytes);
    case PacketKind::fragment: receive_fragment(peer, packet, payload()); break;
    default: ATL_CHECK(false, kNoRecord);
  }
  return true;
}

// A message of `bytes` bytes, of which this packet carries `data`.
bool Engine::receive_packet(Peer& peer, const PacketHeader& packet, std::span<const std::byte> data,
                            std::uint64_t bytes) {
  const std::uint32_t sender = peer.in.sender();
  ATL_CHECK(data.size() <= bytes, "the first part of a message is longer than the message");
  const bool goes_on = packet.kind == PacketKind::eager && data.size() < bytes;
  if (goes_on) peer.reassembly.check_idle();
  const auto drop_message = [&] {
    if (goes_on) peer.reassembly.start(data.size(), bytes, {});
    return true;
  };
  MatchContext* context = contexts.for_arrival(packet.context);
  if (context == nullptr) {
    if (packet.rendezvous != kNoRendezvous) acknowledge_cancelled(sender, packet.rendezvous);
    return drop_message();
  }
  Request* receive = context->find_posted(packet.source, packet.tag);
  if (receive == nullptr) return enqueue_unexpected(peer, *context, packet, data, bytes);
  if (packet.rendezvous != kNoRendezvous && !match_rts(sender, packet.rendezvous)) {
    return drop_message();
  }
  context->unpost(*receive);
  match(*receive, sender, packet.source, packet.tag, bytes, packet.signature);
  if (packet.kind == PacketKind::rts) {
    send_cts(*receive, packet.rendezvous);
    return true;
  }
  if (packet.rendezvous != kNoRendezvous) acknowledge(sender, packet.rendezvous);
  deliver(*receive, 0, data);
  if (goes_on) {
    receive->stage = Stage::pipelined;
    peer.reassembly.start(data.size(), bytes, {.receive = receive});
  } else {
    complete(*receive);
  }
  return true;
}

// No posted receive matches: stores the message in the unexpected queue.
bool Engine::enqueue_unexpected(Peer& peer, MatchContext& context, const PacketHeader& packet,
                                std::span<const std::byte> data, std::uint64_t bytes) {
  std::unique_ptr<Unexpected> message(new (std::nothrow) Unexpected);
  if (message == nullptr) return false;
  message->source = packet.source;
  message->tag = packet.tag;
  message->bytes = bytes;
  message->signature = packet.signature;
  message->sender = peer.in.sender();
  message->is_rts = packet.kind == PacketKind::rts;
  message->ready = packet.ready;
  message->rendezvous = packet.rendezvous;
  if (!data.empty()) {
    message->data.reset(new (std::nothrow) std::byte[bytes]);
    if (message->data == nullptr) return false;
    copy_bytes(message->data.get(), data.data(), data.size());
  }
  message->arrived = data.size();
  if (!message->is_rts) message->held = sizeof(Unexpected) + bytes;
  process.activity.unexpected_bytes += message->held;
  Unexpected* const stored = message.get();
  try {
    context.enqueue(std::move(message));
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (stored->arrived < bytes && !stored->is_rts) {
    peer.reassembly.start(stored->arrived, bytes, {.message = stored});
    stored->rest = &peer.reassembly;
  }
  if (!rendezvous_only_) limit_unexpected();
  drop_cancelled();
  wake_sleepers();  // another thread may wait for it in MPI_Probe
  return true;
}

// Bounds the memory of unexpected messages. Above settings.unexpected_bytes, senders are told to
// use rendezvous only, so that data stays with them until it is matched; below half of it, they
// may send eagerly again.
void Engine::limit_unexpected() {
  const std::uint64_t held = process.activity.unexpected_bytes;
  const std::uint64_t mark = settings.unexpected_bytes;
  if (rendezvous_only_ ? held >= mark / 2 : held <= mark) return;
  rendezvous_only_ = !rendezvous_only_;
  rings_.for_each(
      [this](std::uint32_t sender) { peers_[sender].in.set_rendezvous_only(rendezvous_only_); });
}

// Cancelled messages in the unexpected queues may never be matched. All queues are searched for
// them once so many have been cancelled that the search costs little for each.
void Engine::drop_cancelled() {
  constexpr std::uint32_t kFew = 64;
  // Relaxed: a count; acknowledge_cancelled() reads the state of each rendezvous record.
  const std::uint32_t cancelled = process.slot().cancelled.load_relaxed();
  if (__builtin_expect(cancelled - cancelled_seen_ < kFew + process.activity.unexpected / 2, 1))
    return;
  cancelled_seen_ = cancelled;
  contexts.drop_if([this](const Unexpected& message) { return acknowledge_cancelled(message); });
}

void Engine::drop(shm::ContextId id) {
  if (MatchContext* context = contexts.find(id)) {
    context->drop_if([this](const Unexpected& message) { return acknowledge_cancelled(message); });
  }
  contexts.drop(id);
}

// The next fragment of the eager message that this ring delivers.
void Engine::receive_continuation(Peer& peer, std::span<const std::byte> data) {
  Reassembly& reassembly = peer.reassembly;
  const std::uint64_t offset = reassembly.add(data.size());
  const auto [receive, message] = reassembly.target();
  if (receive != nullptr) deliver(*receive, offset, data);
  if (message != nullptr) {
    copy_bytes(message->data.get() + offset, data.data(), data.size());
    message->arrived += data.size();
  }
  if (!reassembly.complete()) return;
  reassembly.finish();
  if (message != nullptr) message->rest = nullptr;
  if (receive != nullptr) complete(*receive);
}

// Matches the sender's RTS (or synchronous message). False when the sender cancelled it; this
// rank has then acknowledged it and does not access the record again.
bool Engine::match_rts(std::uint32_t sender, std::uint32_t rendezvous) {
  shm::RendezvousRecord& record = segment_.rendezvous(sender, rendezvous);
  if (record.match()) return true;
  acknowledge(sender, rendezvous);
  return false;
}

// Acknowledges a cancelled message, so that the sender may reuse its rendezvous record. False
// when the message is not cancelled.
bool Engine::acknowledge_cancelled(std::uint32_t sender, std::uint32_t rendezvous) {
  if (segment_.rendezvous(sender, rendezvous).state() != shm::RendezvousState::cancelled)
    return false;
  acknowledge(sender, rendezvous);
  return true;
}

bool Engine::acknowledge_cancelled(const Unexpected& message) {
  return message.rendezvous != kNoRendezvous &&
         acknowledge_cancelled(message.sender, message.rendezvous);
}

namespace {

// Whether the message's type signature agrees with the receive's type, which may be longer.
bool types_agree(const Request& receive, std::uint64_t bytes, datatype::Signature signature) {
  return bytes == 0 || datatype::signatures_match(signature, receive.type->signature(bytes));
}

Error too_long(const Request& receive, std::int32_t source, std::int32_t tag, std::uint64_t bytes) {
  const std::string comm = receive.communicator->label();
  if ((receive.context & Communicator::kCollective) != 0) {
    return make_error(
        MPI_ERR_TRUNCATE, "rank %d of %s gives %llu bytes, rank %d expects %llu of it", source,
        comm.c_str(), static_cast<unsigned long long>(bytes), receive.communicator->rank(),
        static_cast<unsigned long long>(receive.capacity()));
  }
  const bool any_source = receive.peer == MPI_ANY_SOURCE;
  const std::string from = any_source ? "any source" : "rank " + std::to_string(source);
  const std::string with = receive.tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(tag);
  return make_error(
      MPI_ERR_TRUNCATE,
      "the message from rank %d, tag %d in %s has %llu bytes, the receive from %s, %s in %s "
      "has room for %llu",
      source, tag, comm.c_str(), static_cast<unsigned long long>(bytes), from.c_str(), with.c_str(),
      comm.c_str(), static_cast<unsigned long long>(receive.capacity()));
}

}  // namespace

// Fills in the request's status fields and compares the message with the receive. receive.bytes
// leaves out what must not be delivered.
void Engine::match(Request& receive, std::uint32_t sender, std::int32_t source, std::int32_t tag,
                   std::uint64_t bytes, datatype::Signature signature) {
  receive.source = source;
  receive.received_tag = tag;
  receive.peer_world = sender;
  receive.bytes = std::min(bytes, receive.capacity());
  receive.progress = 0;
  if (settings.check_signatures && !types_agree(receive, bytes, signature)) {
    receive.bytes = 0;
    receive.fail(make_error(
        MPI_ERR_TYPE, "the message from rank %d, tag %d in %s holds %s, the receive expects %s",
        source, tag, receive.communicator->label().c_str(), datatype::describe(signature).c_str(),
        label(*receive.type).c_str()));
    return;
  }
  if (bytes > receive.capacity()) receive.fail(too_long(receive, source, tag, bytes));
}

// Writes `data`, which is the message from byte `start` on, to the receive buffer.
void Engine::deliver(Request& receive, std::uint64_t start, std::span<const std::byte> data) {
  if (start >= receive.bytes) return;
  if (data.size() <= PacketHeader::kSmallBytes && receive.type->is_contiguous()) {
    return copy_small<PacketHeader::kSmallBytes>(
        receive.type->first_byte(receive.buffer) + start, data.data(),
        std::min<std::uint64_t>(data.size(), receive.bytes - start));
  }
  const std::uint64_t wanted = std::min<std::uint64_t>(data.size(), receive.bytes - start);
  if (start == 0 && wanted < receive.bytes && goes_by_bands(*receive.type)) {
    try {
      receive.extra().unpacking.emplace(*receive.type, receive.buffer);
    } catch (const std::bad_alloc&) {  // unpack() below is slower
    }
  }
  if (receive.extras == nullptr || !receive.extras->unpacking) {
    return receive.type->unpack(receive.buffer, start, data.first(wanted));
  }
  receive.extras->unpacking->unpack(start, data.first(wanted));
  if (start + wanted == receive.bytes) {
    receive.extras->unpacking->flush();
    receive.extras->unpacking.reset();
  }
}

Unexpected* Engine::find_message(MatchContext& context, std::int32_t source, std::int32_t tag) {
  while (Unexpected* message = context.find_unexpected(source, tag)) {
    if (!acknowledge_cancelled(*message)) return message;
    context.take(*message);
  }
  return nullptr;
}

void Engine::match_or_post(MatchContext& context, Request& request) {
  while (Unexpected* message = find_message(context, request.peer, request.tag)) {
    auto taken = context.take(*message);
    if (!accept(*taken)) continue;
    context.number(request);
    receive_message(request, std::move(taken));
    return;
  }
  context.post(request);
}

namespace {

// MPI 5.0, 3.4: such a program is erroneous. The receive gets its data nevertheless.
[[gnu::cold]] void too_early(Request& receive) {
  receive.fail(make_error(MPI_ERR_OTHER,
                          "the message from rank %d, tag %d in %s was sent in ready mode, but came "
                          "before its receive was posted",
                          receive.source, receive.received_tag,
                          receive.communicator->label().c_str()));
}

}  // namespace

void Engine::receive_message(Request& request, std::unique_ptr<Unexpected> message) {
  match(request, message->sender, message->source, message->tag, message->bytes,
        message->signature);
  if (message->ready && request.error_class == MPI_SUCCESS) too_early(request);
  if (message->is_rts) return send_cts(request, message->rendezvous);
  if (message->rendezvous != kNoRendezvous) acknowledge(message->sender, message->rendezvous);
  deliver(request, 0, std::span(message->data.get(), message->arrived));
  if (message->rest != nullptr) {  // the remaining fragments go straight to the receive
    std::exchange(message->rest, nullptr)->retarget({.receive = &request});
    request.stage = Stage::pipelined;
  } else {
    complete(request);
  }
}

bool Engine::cancel_receive(Request& request) {
  if (request.stage != Stage::posted) return false;
  contexts.get(request.context).unpost(request);
  request.cancelled = true;
  complete(request);
  return true;
}

}  // namespace atl::p2p
