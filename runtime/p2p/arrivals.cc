// Taking in what arrived: from the rings to receives, or aside.
#include <algorithm>
#include <new>
#include <string>

#include "base/check.h"
#include "base/copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/wire.h"
#include "runtime/type/handles.h"

namespace atl::p2p {

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
    if (offers_only_) peer.in.set_offers_only(true);
    rings_.add(sender);
  }
}

// Asks the operations in a list for progress, one after the other and from where the last
// look ended, as far as the budget goes. A quick look asks some, a full one all while
// none does anything.
template <class Progress>
bool Engine::take_turns(RequestList& list, shm::Look look, Progress progress) {
  if (__builtin_expect(list.empty(), 1)) return false;
  budget_ = kPollBytes;
  bool worked = false;
  bool all = false;
  const Request* const last = &list.back();
  for (std::size_t turn = 0; !all && !list.empty() && budget_ > 0; ++turn) {
    if (turn >= kTurns && (worked || look != shm::Look::full)) break;
    Request& request = list.front();
    all = &request == last;  // asked before it may be gone
    list.splice(list.end(), list, list.begin());
    worked |= progress(request);
  }
  return worked;
}

bool Engine::poll(shm::Look look, int most, const Peer* except) {
  calls_until_poll_ = kCallsPerPoll;
  find_new_rings();
  budget_ = kPollBytes;
  bool worked = rings_.look(look, [&](std::uint32_t sender) {
    Peer& peer = peers_[sender];
    if (&peer == except || !drain(peer, most)) return InboundRings::Found::nothing;
    return budget_ > 0 ? InboundRings::Found::news : InboundRings::Found::enough;
  });
  worked |= take_turns(copying_, look, [this](Request& one) { return progress_receive(one); });
  worked |= take_turns(offered_, look, [this](Request& one) { return progress_send(one); });
  if (__builtin_expect(!waiting_peers_.empty(), 0)) worked |= flush_queued();
  if (__builtin_expect(!watched_.empty(), 0)) worked |= look_at_watched(look);
  if (__builtin_expect(!deferred_.empty(), 0)) {
    run_deferred();
    worked = true;
  }
  if (__builtin_expect(offers_only_, 0)) watch_unexpected();
  if (__builtin_expect(starved_ && !worked, 0)) worked = try_again_to_keep();
  return worked;
}

// Nothing else can be done than to take in messages for which there was no memory. An error of
// the call (MPI_ERR_NO_MEM), which can be made again: the messages stay in their rings.
bool Engine::try_again_to_keep() {
  starved_ = false;
  bool worked = false;
  rings_.for_each([&](std::uint32_t sender) { worked |= drain(peers_[sender]); });
  if (starved_ && !worked) throw std::bad_alloc();
  return worked;
}

// The hot path of arrive(): a message that is all here meets the first of the receives
// from its source. False, and nothing done, when anything is unusual.
[[gnu::always_inline]] inline bool Engine::arrive_whole(const Peer& peer, const Record& record) {
  MatchContext* context = contexts.find(record.context);
  MatchContext::PostedQueue* queue = nullptr;
  Request* receive =
      context == nullptr ? nullptr : context->first_posted(record.source, record.tag, queue);
  if (receive == nullptr || !fits(record, *receive->type, receive->capacity())) return false;
  context->unpost_first(*queue);
  receive->source = record.source;
  receive->received_tag = record.tag;
  receive->bytes = copy_whole(peer, record, receive->type->run(receive->buffer));
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
    const Record& record = record_in(*slot);
    if (!arrive_whole(peer, record) && !take_in(peer, record)) {
      starved_ = true;
      break;
    }
    const std::uint32_t bytes = payload_bytes(record);
    budget_ -= bytes;
    if (bytes == 0 ? peer.in.release() : peer.in.release(bytes)) peer.wake();  // it waits for room
    if (++taken == most || budget_ <= 0) break;
  }
  return taken != 0;
}

bool Engine::take_in(Peer& peer, const Record& record) {
  constexpr const char* kNoRecord = "a ring brings what is no record";
  const auto payload = [&] {
    const std::uint32_t length = record.large.length;
    return std::span(peer.in.payload(record.large.payload, length), length);
  };
  switch (record.kind) {
    case RecordKind::small:
      ATL_CHECK(record.small_bytes <= Record::kSmallBytes, kNoRecord);
      return arrive(peer, record, std::span(record.data, record.small_bytes), record.small_bytes);
    case RecordKind::eager: return arrive(peer, record, payload(), record.large.bytes);
    case RecordKind::more: arrive_more(peer, payload()); break;
    case RecordKind::offer: return arrive(peer, record, {}, record.large.bytes);
    case RecordKind::piece: arrive_piece(peer, record, payload()); break;
    default: ATL_CHECK(false, kNoRecord);
  }
  return true;
}

// A message of `bytes`, of which `data` has come with its envelope.
bool Engine::arrive(Peer& peer, const Record& record, std::span<const std::byte> data,
                    std::uint64_t bytes) {
  const std::uint32_t sender = peer.in.sender();
  ATL_CHECK(data.size() <= bytes, "the first part of a message is longer than the message");
  const bool goes_on = record.kind == RecordKind::eager && data.size() < bytes;
  if (goes_on) {
    ATL_CHECK(peer.inflow.total == 0, "a ring brings a message before the one before it has ended");
    peer.inflow = {nullptr, nullptr, data.size(), bytes};
  }
  MatchContext* context = contexts.for_arrival(record.context);
  if (context == nullptr) {
    if (record.transfer != kNoTransfer) give_up_withdrawn(sender, record.transfer);
    return true;
  }
  Request* receive = context->find_posted(record.source, record.tag);
  if (receive == nullptr) {
    const bool kept = keep(peer, *context, record, data, bytes);
    if (!kept && goes_on) peer.inflow = {};  // the record comes again
    return kept;
  }
  if (record.transfer != kNoTransfer && !take_offer(sender, record.transfer)) return true;
  context->unpost(*receive);
  match(*receive, sender, record.source, record.tag, bytes, record.signature);
  if (record.kind == RecordKind::offer) {
    answer_offer(*receive, record.transfer);
    return true;
  }
  if (record.transfer != kNoTransfer) answer_received(sender, record.transfer);
  deliver(*receive, 0, data);
  if (goes_on) {
    receive->stage = Stage::streaming;
    peer.inflow.request = receive;
  } else {
    complete(*receive);
  }
  return true;
}

// No receive waits for the message: it is set aside.
bool Engine::keep(Peer& peer, MatchContext& context, const Record& record,
                  std::span<const std::byte> data, std::uint64_t bytes) {
  std::unique_ptr<Unexpected> message(new (std::nothrow) Unexpected);
  if (message == nullptr) return false;
  message->source = record.source;
  message->tag = record.tag;
  message->bytes = bytes;
  message->signature = record.signature;
  message->sender = peer.in.sender();
  message->offered = record.kind == RecordKind::offer;
  message->ready = record.ready;
  message->transfer = record.transfer;
  if (!data.empty()) {
    message->data.reset(new (std::nothrow) std::byte[bytes]);
    if (message->data == nullptr) return false;
    copy_bytes(message->data.get(), data.data(), data.size());
  }
  message->arrived = data.size();
  if (message->arrived < bytes && !message->offered) {
    message->rest = &peer.inflow;
    peer.inflow.message = message.get();
  }
  if (!message->offered) message->held = sizeof(Unexpected) + bytes;
  process.activity.unexpected_bytes += message->held;
  try {
    context.keep(std::move(message));
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!offers_only_) watch_unexpected();
  drop_withdrawn();
  wake_sleepers();  // one may wait in MPI_Probe
  return true;
}

// What is kept for late receives is bounded: above the mark senders hear that they are to keep
// their data until a receive asks for it, and below half of it that they need not.
void Engine::watch_unexpected() {
  const std::uint64_t held = process.activity.unexpected_bytes;
  const std::uint64_t mark = settings.unexpected_bytes;
  if (offers_only_ ? held >= mark / 2 : held <= mark) return;
  offers_only_ = !offers_only_;
  rings_.for_each(
      [this](std::uint32_t sender) { peers_[sender].in.set_offers_only(offers_only_); });
}

// Messages that their senders have withdrawn may never be looked for again. All are looked at
// when so many have been withdrawn that this costs little for each.
void Engine::drop_withdrawn() {
  constexpr std::uint32_t kFew = 64;
  // Relaxed: a count; the states of the transfers are looked at by themselves.
  const std::uint32_t withdrawn = process.slot().withdrawn.load_relaxed();
  if (__builtin_expect(withdrawn - withdrawn_ < kFew + process.activity.unexpected / 2, 1)) return;
  withdrawn_ = withdrawn;
  contexts.drop_if([this](const Unexpected& message) { return give_up_withdrawn(message); });
}

void Engine::drop(shm::ContextId id) {
  if (MatchContext* context = contexts.find(id)) {
    context->drop_if([this](const Unexpected& message) { return give_up_withdrawn(message); });
  }
  contexts.drop(id);
}

// The next piece of the eager message of this ring.
void Engine::arrive_more(Peer& peer, std::span<const std::byte> data) {
  Inflow& inflow = peer.inflow;
  ATL_CHECK(data.size() <= inflow.total - inflow.arrived,
            "a ring brings more of a message than there is");
  if (inflow.request != nullptr) {
    deliver(*inflow.request, inflow.arrived, data);
  } else if (inflow.message != nullptr) {
    copy_bytes(inflow.message->data.get() + inflow.arrived, data.data(), data.size());
    inflow.message->arrived += data.size();
  }
  inflow.arrived += data.size();
  if (inflow.arrived < inflow.total) return;
  Request* receive = inflow.request;
  if (inflow.message != nullptr) inflow.message->rest = nullptr;
  inflow = {};
  if (receive != nullptr) complete(*receive);
}

// Takes the sender's offer; false when it was cancelled, and then nobody looks
// at the record again.
bool Engine::take_offer(std::uint32_t sender, std::uint32_t transfer) {
  shm::Transfer& offer = segment_.transfer(sender, transfer);
  if (offer.take()) return true;
  answer_received(sender, transfer);
  return false;
}

// Says the last word about a message that its sender has withdrawn; false when it has not.
bool Engine::give_up_withdrawn(std::uint32_t sender, std::uint32_t transfer) {
  if (segment_.transfer(sender, transfer).state() != shm::TransferState::withdrawn) return false;
  answer_received(sender, transfer);
  return true;
}

bool Engine::give_up_withdrawn(const Unexpected& message) {
  return message.transfer != kNoTransfer && give_up_withdrawn(message.sender, message.transfer);
}

namespace {

// Whether a message of `bytes` may go into the receive, whose type may be longer.
bool types_agree(const Request& receive, std::uint64_t bytes, datatype::Signature signature) {
  return bytes == 0 || datatype::signatures_match(signature, receive.type->signature(bytes));
}

Fault too_long(const Request& receive, std::int32_t source, std::int32_t tag, std::uint64_t bytes) {
  const std::string comm = receive.communicator->label();
  if ((receive.context & Communicator::kCollective) != 0) {
    return fail(MPI_ERR_TRUNCATE, "rank %d of %s gives %llu bytes, rank %d expects %llu of it",
                source, comm.c_str(), static_cast<unsigned long long>(bytes),
                receive.communicator->rank(), static_cast<unsigned long long>(receive.capacity()));
  }
  const bool any_source = receive.peer == MPI_ANY_SOURCE;
  const std::string from = any_source ? "any source" : "rank " + std::to_string(source);
  const std::string with = receive.tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(tag);
  return fail(
      MPI_ERR_TRUNCATE,
      "the message from rank %d, tag %d in %s has %llu bytes, the receive from %s, %s in %s "
      "has room for %llu",
      source, tag, comm.c_str(), static_cast<unsigned long long>(bytes), from.c_str(), with.c_str(),
      comm.c_str(), static_cast<unsigned long long>(receive.capacity()));
}

}  // namespace

// Fills in what the status will say and compares both sides. What must not be
// delivered is cut from receive.bytes.
void Engine::match(Request& receive, std::uint32_t sender, std::int32_t source, std::int32_t tag,
                   std::uint64_t bytes, datatype::Signature signature) {
  receive.source = source;
  receive.received_tag = tag;
  receive.peer_world = sender;
  receive.bytes = std::min(bytes, receive.capacity());
  receive.progress = 0;
  if (settings.check_signatures && !types_agree(receive, bytes, signature)) {
    receive.bytes = 0;
    receive.fail_with(fail(
        MPI_ERR_TYPE, "the message from rank %d, tag %d in %s holds %s, the receive expects %s",
        source, tag, receive.communicator->label().c_str(), datatype::describe(signature).c_str(),
        label(*receive.type).c_str()));
    return;
  }
  if (bytes > receive.capacity()) receive.fail_with(too_long(receive, source, tag, bytes));
}

// `data` is what the message holds from byte `start` on.
void Engine::deliver(Request& receive, std::uint64_t start, std::span<const std::byte> data) {
  if (start >= receive.bytes) return;
  if (data.size() <= Record::kSmallBytes && receive.type->flat()) {
    return copy_small<Record::kSmallBytes>(
        receive.type->run(receive.buffer) + start, data.data(),
        std::min<std::uint64_t>(data.size(), receive.bytes - start));
  }
  const std::uint64_t wanted = std::min<std::uint64_t>(data.size(), receive.bytes - start);
  if (start == 0 && wanted < receive.bytes && goes_by_bands(*receive.type)) {
    try {
      receive.extra().unpacking.emplace(*receive.type, receive.buffer);
    } catch (const std::bad_alloc&) {  // slower without
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
    if (!give_up_withdrawn(*message)) return message;
    context.take(*message);
  }
  return nullptr;
}

void Engine::meet_or_post(MatchContext& context, Request& request) {
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

// MPI 5.0, 3.4: such a program is wrong. The receive gets its data nevertheless.
[[gnu::cold]] void too_early(Request& receive) {
  receive.fail_with(fail(MPI_ERR_OTHER,
                         "the message from rank %d, tag %d in %s was sent in ready mode, but came "
                         "before its receive was posted",
                         receive.source, receive.received_tag,
                         receive.communicator->label().c_str()));
}

}  // namespace

void Engine::receive_message(Request& request, std::unique_ptr<Unexpected> message) {
  match(request, message->sender, message->source, message->tag, message->bytes,
        message->signature);
  if (message->ready && request.error == MPI_SUCCESS) too_early(request);
  if (message->offered) return answer_offer(request, message->transfer);
  if (message->transfer != kNoTransfer) answer_received(message->sender, message->transfer);
  deliver(request, 0, std::span(message->data.get(), message->arrived));
  if (message->rest != nullptr) {  // it comes straight to the receive
    message->rest->request = &request;
    request.stage = Stage::streaming;
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
