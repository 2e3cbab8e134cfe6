#include "runtime/p2p/send_buffer.h"

#include <algorithm>
#include <new>
#include <span>

#include "base/check.h"
#include "datatype/predefined.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"

namespace atl::p2p {
namespace {

std::shared_ptr<SendBuffer> process_buffer;

Fault attach(std::shared_ptr<SendBuffer>& place, void* buffer, MPI_Count size) {
  if (place != nullptr) {
    return fail(MPI_ERR_BUFFER, "buffer=%p: a buffer of %zu bytes is attached already", buffer,
                place->bytes());
  }
  if (buffer == nullptr && size > 0) {
    return fail(MPI_ERR_BUFFER, "buffer is a null pointer, for %lld bytes",
                static_cast<long long>(size));
  }
  place = std::make_shared<SendBuffer>(buffer, static_cast<std::size_t>(size));
  return {};
}

Fault none_attached() { return fail(MPI_ERR_BUFFER, "no buffer is attached"); }

Fault flush(const std::shared_ptr<SendBuffer>& place) {
  if (place == nullptr) return none_attached();
  const auto buffer = place;  // another thread may detach it meanwhile
  if (!buffer->empty()) block_until([&] { return buffer->empty(); }, {});
  return {};
}

Fault detach(std::shared_ptr<SendBuffer>& place, void* buffer_addr, MPI_Count* size) {
  if (Fault fault = flush(place)) return fault;
  *static_cast<void**>(buffer_addr) = place->memory();
  *size = static_cast<MPI_Count>(place->bytes());
  place.reset();
  return {};
}

Fault iflush(const std::shared_ptr<SendBuffer>& place, MPI_Request* request) {
  if (place == nullptr) return none_attached();
  Request& made = requests.create();
  made.kind = RequestKind::flush;
  made.stage = Stage::active;
  *request = handle_of(made);
  place->add_flush(made);
  return {};
}

}  // namespace

// The model of MPI 5.0, 3.6.1: behind the youngest message, or at the start when
// there is too little room behind it; never beyond the oldest.
bool SendBuffer::find_room(std::size_t bytes, std::size_t& offset) const {
  offset = 0;
  if (messages_.empty()) return bytes <= bytes_;
  const Message& oldest = messages_.begin()->second;
  const Message& youngest = messages_.rbegin()->second;
  offset = youngest.offset + youngest.bytes;
  if (youngest.offset < oldest.offset) return bytes <= oldest.offset - offset;
  if (bytes <= bytes_ - offset) return true;
  offset = 0;
  return bytes <= oldest.offset;
}

Fault SendBuffer::send(Request& request) {
  const std::size_t bytes = request.capacity();
  if (Fault fault = engine->connect(request.peer_world)) return fault;
  std::size_t offset = 0;
  std::unique_ptr<std::byte[]> own;
  std::byte* place;
  if (automatic()) {
    own.reset(new (std::nothrow) std::byte[std::max<std::size_t>(bytes, 1)]);
    if (own == nullptr) return fail(MPI_ERR_NO_MEM, "no memory for a message of %zu bytes", bytes);
    place = own.get();
  } else {
    // What has been sent by now leaves its room first, as in the model of 3.6.1: this message
    // must not lie in the middle of what is free then.
    if (!messages_.empty()) engine->poll();
    if (!find_room(bytes, offset)) {
      return fail(MPI_ERR_BUFFER,
                  "a message of %zu bytes does not fit into what is free of the attached buffer of "
                  "%zu bytes (%zu messages wait there)",
                  bytes, bytes_, messages_.size());
    }
    place = static_cast<std::byte*>(memory_) + offset;
  }
  request.type->pack(request.buffer, 0, std::span(place, bytes));
  Request& out = make_request(RequestKind::send, *request.communicator);
  out.buffer = place;
  out.count = bytes;
  out.type = &datatype::bytes();
  out.signature = request.signature;
  out.peer = request.peer;
  out.peer_world = request.peer_world;
  out.tag = request.tag;
  out.context = request.context;
  out.extra().owned = std::move(own);
  out.extra().from_buffer = this;
  out.post_order = next_;
  messages_[next_++] = {offset, bytes};
  engine->start_send(out);
  request.bytes = bytes;
  engine->complete(request);
  return {};
}

void SendBuffer::sent(Request& request) {
  ATL_DCHECK(messages_.contains(request.post_order));
  messages_.erase(request.post_order);
  if (!flushes_.empty()) complete_flushes();
  // This buffer may end with it: the request holds the communicator, and that the buffer.
  free_request(request);
}

void SendBuffer::add_flush(Request& flush) {
  flushes_.emplace_back(next_, &flush);
  complete_flushes();
}

void SendBuffer::complete_flushes() {
  const std::uint64_t oldest = messages_.empty() ? next_ : messages_.begin()->first;
  std::erase_if(flushes_, [oldest](const auto& flush) {
    if (flush.first > oldest) return false;
    engine->complete(*flush.second);
    return true;
  });
}

namespace {

SendBuffer* buffer_for(const Communicator& comm) {
  if (comm.send_buffer != nullptr) return comm.send_buffer.get();
  if (comm.origin != nullptr && comm.origin->send_buffer != nullptr) {
    return comm.origin->send_buffer.get();
  }
  return process_buffer.get();
}

}  // namespace

Fault send_from_buffer(Request& request) {
  SendBuffer* buffer = buffer_for(*request.communicator);
  if (buffer == nullptr) {
    return fail(MPI_ERR_BUFFER, "a buffered send of %llu bytes, and no buffer is attached",
                static_cast<unsigned long long>(request.capacity()));
  }
  return buffer->send(request);
}

Fault buffer_attach(void* buffer, MPI_Count size) { return attach(process_buffer, buffer, size); }

Fault buffer_detach(void* buffer_addr, MPI_Count* size) {
  return detach(process_buffer, buffer_addr, size);
}

Fault buffer_flush() { return flush(process_buffer); }

Fault buffer_iflush(MPI_Request* request) { return iflush(process_buffer, request); }

Fault comm_attach_buffer(Communicator& comm, void* buffer, MPI_Count size) {
  return attach(comm.send_buffer, buffer, size);
}

Fault comm_detach_buffer(Communicator& comm, void* buffer_addr, MPI_Count* size) {
  return detach(comm.send_buffer, buffer_addr, size);
}

Fault comm_flush_buffer(Communicator& comm) { return flush(comm.send_buffer); }

Fault comm_iflush_buffer(Communicator& comm, MPI_Request* request) {
  return iflush(comm.send_buffer, request);
}

Fault session_attach_buffer(Session& session, void* buffer, MPI_Count size) {
  return attach(session.origin->send_buffer, buffer, size);
}

Fault session_detach_buffer(Session& session, void* buffer_addr, MPI_Count* size) {
  return detach(session.origin->send_buffer, buffer_addr, size);
}

Fault session_flush_buffer(Session& session) { return flush(session.origin->send_buffer); }

Fault session_iflush_buffer(Session& session, MPI_Request* request) {
  return iflush(session.origin->send_buffer, request);
}

}  // namespace atl::p2p
