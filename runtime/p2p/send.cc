#include "runtime/p2p/send.h"

#include "runtime/p2p/attached_buffer.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/wire.h"

namespace atl::p2p {
namespace {

Request& describe(const Outgoing& message, SendMode mode, Communicator& comm) {
  Request& request = make_request(RequestKind::send, comm);
  request.mode = mode;
  request.buffer = const_cast<void*>(message.buffer);
  request.count = message.count;
  request.use_type(message.type);
  request.signature = message.type.signature(message.count * message.type.size());
  request.peer = message.destination;
  request.tag = message.tag;
  request.context = message.context;
  if (message.destination != MPI_PROC_NULL) {
    request.peer_world = comm.world_rank(message.destination);
  }
  return request;
}

Envelope envelope_of(const Outgoing& message, const Communicator& comm) {
  return {.context = message.context,
          .tag = message.tag,
          .source = comm.rank(),
          .signature = message.type.signature(message.count * message.type.size()),
          .rendezvous = kNoRendezvous,
          .ready = message.ready};
}

void count(std::size_t bytes) {
  ++process.activity.messages;
  process.activity.bytes += bytes;
}

// As send_at_once(), for a message of one fragment.
[[gnu::noinline]] bool send_fragment_at_once(Peer& peer, const Outgoing& message,
                                             std::uint32_t bytes, const Communicator& comm) {
  if (bytes > first_fragment_limit()) return false;
  const std::byte* data = message.type.first_byte(message.buffer);
  const std::uint32_t phase = reinterpret_cast<std::uintptr_t>(data) % shm::kCacheLine;
  shm::Slot* slot =
      claim_fragment(peer, phase, bytes, [=](std::byte* to) { copy_bytes(to, data, bytes); });
  if (slot == nullptr) return false;
  publish_eager(peer, slot, envelope_of(message, comm), PacketKind::eager, bytes);
  count(bytes);
  return true;
}

// The hot path: sends a short message from one contiguous block to a ring with free space. No
// system call, no lock, no allocation. False, with nothing changed, in all other cases.
bool send_at_once(const Outgoing& message, const Communicator& comm) {
  const std::size_t bytes = message.count * message.type.size();
  Peer& peer = engine->peer(comm.world_rank(message.destination));
  if (bytes > kFirstFragment || !message.type.is_contiguous() || !peer.ready()) return false;
  if (bytes > PacketHeader::kSmallBytes) {
    return send_fragment_at_once(peer, message, static_cast<std::uint32_t>(bytes), comm);
  }
  const bool sent = send_small(peer, envelope_of(message, comm), bytes, [&](std::byte* to) {
    copy_small<PacketHeader::kSmallBytes>(to, message.type.first_byte(message.buffer), bytes);
  });
  if (sent) count(bytes);
  return sent;
}

// The same for calls that may also progress other operations.
bool served_at_once(const Outgoing& message, const Communicator& comm) {
  if (!send_at_once(message, comm)) return false;
  engine->poll_now_and_then();
  return true;
}

Error blocking_send(const Outgoing& message, SendMode mode, Communicator& comm) {
  Request& request = describe(message, mode, comm);
  engine->start_send(request);
  block_on_own(request);
  const Error error = request.error();
  free_request(request);
  return error;
}

Error nonblocking(const Outgoing& message, SendMode mode, Communicator& comm,
                  MPI_Request* request) {
  const bool plain = mode == SendMode::standard || mode == SendMode::ready;
  if (plain && message.destination != MPI_PROC_NULL && served_at_once(message, comm)) {
    *request = handle_of(done_at_once());
    return {};
  }
  Request& made = describe(message, mode, comm);
  if (Error error = begin(made)) {
    free_request(made);
    return error;
  }
  *request = handle_of(made);
  return {};
}

Error persistent(const Outgoing& message, SendMode mode, Communicator& comm, MPI_Request* request) {
  Request& made = describe(message, mode, comm);
  made.persistent = true;
  *request = handle_of(made);
  return {};
}

}  // namespace

Error send_to(const Outgoing& message, Communicator& comm) {
  if (served_at_once(message, comm)) return {};
  return blocking_send(message, SendMode::standard, comm);
}

bool send_then(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
               void* argument) {
  if (send_at_once(message, comm)) return true;
  Request& request = describe(message, SendMode::standard, comm);
  request.detached = true;
  request.extra().after = after;
  request.extra().after_argument = argument;
  engine->start_send(request);
  return false;
}

bool post(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
          void* argument) {
  if (send_at_once(message, comm)) return true;
  Request& request = describe(message, SendMode::standard, comm);
  const std::size_t bytes = request.capacity();
  request.extra().owned = std::make_unique<std::byte[]>(bytes);
  request.buffer = request.extra().owned.get();
  copy_bytes(request.extra().owned.get(), message.type.first_byte(message.buffer), bytes);
  request.extra().after = after;
  request.extra().after_argument = argument;
  request.detached = true;
  engine->start_send(request);
  return false;
}

Error begin(Request& request) {
  if (request.peer == MPI_PROC_NULL) {
    request.bytes = 0;
    engine->complete(request);
    return {};
  }
  if (request.mode == SendMode::buffered) return send_from_buffer(request);
  engine->start_send(request);
  return {};
}

Error send(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Communicator& comm) {
  if (dest == MPI_PROC_NULL) return {};
  return send_to({buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context()}, comm);
}

Error rsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm) {
  if (dest == MPI_PROC_NULL) return {};
  const Outgoing message{buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context(),
                         true};
  if (served_at_once(message, comm)) return {};
  return blocking_send(message, SendMode::ready, comm);
}

Error ssend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm) {
  if (dest == MPI_PROC_NULL) return {};
  return blocking_send({buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context()},
                       SendMode::synchronous, comm);
}

Error bsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm) {
  if (dest == MPI_PROC_NULL) return {};
  const Outgoing message{buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context()};
  Request& request = describe(message, SendMode::buffered, comm);
  const Error error = send_from_buffer(request);
  free_request(request);
  return error;
}

#define ATL_SEND_FORMS(name, mode)                                                                 \
  Error i##name(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,     \
                Communicator& comm, MPI_Request* request) {                                        \
    return nonblocking({buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context(), \
                        mode == SendMode::ready},                                                  \
                       mode, comm, request);                                                       \
  }                                                                                                \
  Error name##_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag, \
                    Communicator& comm, MPI_Request* request) {                                    \
    return persistent({buf, static_cast<std::size_t>(count), datatype, dest, tag, comm.context()}, \
                      mode, comm, request);                                                        \
  }

ATL_SEND_FORMS(send, SendMode::standard)
ATL_SEND_FORMS(bsend, SendMode::buffered)
ATL_SEND_FORMS(ssend, SendMode::synchronous)
ATL_SEND_FORMS(rsend, SendMode::ready)

#undef ATL_SEND_FORMS

}  // namespace atl::p2p
