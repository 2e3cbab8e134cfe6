#include "runtime/p2p/receive.h"

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/completion.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/status.h"
#include "runtime/p2p/wire.h"

namespace atl::p2p {
namespace {

Request& describe(const Incoming& message, Communicator& comm) {
  Request& request = make_request(RequestKind::receive, comm);
  request.buffer = message.buffer;
  request.count = message.count;
  request.use_type(message.type);
  request.peer = message.source;
  request.tag = message.tag;
  request.context = message.context;
  return request;
}

enum class Taken : std::uint8_t { yes, no, unusual };

// Receives the ring's next packet straight into the buffer, if it is a complete message that
// matches.
Taken take_next(Peer& peer, const Incoming& message, MPI_Status* status) {
  const shm::Slot* slot = peer.in.peek();
  if (slot == nullptr) return Taken::no;
  const PacketHeader& packet = packet_in(*slot);
  const std::uint64_t capacity = message.count * message.type.size();
  if (packet.context != message.context || !tags_match(message.tag, packet.tag) ||
      !fits(packet, message.type, capacity)) {
    return Taken::unusual;
  }
  const std::uint32_t bytes = copy_whole(peer, packet, message.type.first_byte(message.buffer));
  set_status(status, packet.source, packet.tag, bytes);
  if (peer.in.release(payload_bytes(packet))) peer.wake();
  return Taken::yes;
}

// As receive_at_once(), from any source: polls the recent senders' rings in turn.
Peer* receive_any_at_once(const Incoming& message, int polls, MPI_Status* status) {
  const MatchContext& context = engine->contexts.get(message.context);
  if (!context.none_unexpected() || !context.none_posted()) return nullptr;
  Peer* from = nullptr;
  for (int i = 0; i < polls; ++i) {
    const bool news = engine->rings().visit_recent([&](std::uint32_t sender) {
      Peer& peer = engine->peer(sender);
      const Taken taken = take_next(peer, message, status);
      if (taken == Taken::no) return InboundRings::Found::nothing;
      if (taken == Taken::yes) from = &peer;
      return InboundRings::Found::enough;
    });
    if (news) return from;
    shm::relax();
  }
  return nullptr;
}

// Polls the head of the sender's ring `polls` times for the message. No unexpected message and no
// posted receive may precede it. Returns the sender; null in all unusual cases, or when the
// message takes longer.
Peer* receive_at_once(const Incoming& message, const Communicator& comm, int polls,
                      MPI_Status* status) {
  if (!message.type.is_contiguous()) return nullptr;
  if (message.source == MPI_ANY_SOURCE) return receive_any_at_once(message, polls, status);
  const MatchContext& context = engine->contexts.get(message.context);
  if (!context.none_unexpected_from(message.source) || !context.none_posted_for(message.source)) {
    return nullptr;
  }
  Peer& peer = engine->peer(comm.world_rank(message.source));
  if (!peer.in_connected) return nullptr;
  for (int i = 0; i < polls; ++i) {
    const Taken taken = take_next(peer, message, status);
    if (taken != Taken::no) return taken == Taken::yes ? &peer : nullptr;
    shm::relax();
  }
  return nullptr;
}

}  // namespace

Request& begin_receive(const Incoming& message, Communicator& comm) {
  Request& request = describe(message, comm);
  engine->start_receive(request);
  return request;
}

void receive_then(const Incoming& message, Communicator& comm, void (*after)(void*, const Request&),
                  void* argument) {
  Request& request = describe(message, comm);
  request.detached = true;
  request.extra().after = after;
  request.extra().after_argument = argument;
  engine->start_receive(request);
}

void begin_receive(Request& request) {
  if (request.peer == MPI_PROC_NULL) {
    request.source = MPI_PROC_NULL;
    request.received_tag = MPI_ANY_TAG;
    request.bytes = 0;
    engine->complete(request);
  } else {
    engine->start_receive(request);
  }
}

Error receive(const Incoming& message, Communicator& comm, MPI_Status* status) {
  // The hot path. Polls only once where ranks share cores, since a rank that waits delays the
  // others.
  constexpr int kPolls = 256;
  const int polls = process.policy.spin_ticks != 0 ? kPolls : 1;
  if (const Peer* from = receive_at_once(message, comm, polls, status)) {
    engine->poll_now_and_then(from);
    return {};
  }
  Request& request = begin_receive(message, comm);
  Peer* near =
      message.source == MPI_ANY_SOURCE ? nullptr : &engine->peer(comm.world_rank(message.source));
  block_on_own(request, near);
  return finish(request, status);
}

Error recv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
           Communicator& comm, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    set_from_nobody(status);
    return {};
  }
  return receive({buf, static_cast<std::size_t>(count), datatype, source, tag, comm.context()},
                 comm, status);
}

Error irecv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
            Communicator& comm, MPI_Request* request) {
  Request& made =
      describe({buf, static_cast<std::size_t>(count), datatype, source, tag, comm.context()}, comm);
  *request = handle_of(made);
  begin_receive(made);
  // Receives as many messages as receives are posted, so that a long series of calls does not
  // leave the ring full; several at once, so that the transfers of their cache lines overlap.
  constexpr int kRow = 8;
  if (source >= 0 && made.post_order % kRow == kRow - 1) {
    engine->poll_from(engine->peer(comm.world_rank(source)), kRow);
  }
  return {};
}

Error recv_init(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
                Communicator& comm, MPI_Request* request) {
  Request& made =
      describe({buf, static_cast<std::size_t>(count), datatype, source, tag, comm.context()}, comm);
  made.persistent = true;
  *request = handle_of(made);
  return {};
}

}  // namespace atl::p2p
