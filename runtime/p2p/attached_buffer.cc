#include "runtime/p2p/attached_buffer.h"

#include <algorithm>
#include <new>
#include <span>

#include "base/check.h"
#include "datatype/predefined.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"

namespace atl::p2p {
namespace {

// With its attached buffer, the one of the process.
Extensions process_extensions;

Error attach(Extensions& owner, void* buffer, MPI_Count size) {
  if (const AttachedBuffer* attached = owner.get(kAttachedBuffer)) {
    return make_error(MPI_ERR_BUFFER, "buffer=%p: a buffer of %zu bytes is attached already",
                      buffer, attached->bytes());
  }
  if (buffer == nullptr && size > 0) {
    return make_error(MPI_ERR_BUFFER, "buffer is a null pointer, for %lld bytes",
                      static_cast<long long>(size));
  }
  owner.set(kAttachedBuffer,
            std::make_shared<AttachedBuffer>(buffer, static_cast<std::size_t>(size)));
  return {};
}

Error none_attached() { return make_error(MPI_ERR_BUFFER, "no buffer is attached"); }

Error flush(const Extensions& owner) {
  const auto buffer = owner.share(kAttachedBuffer);  // another thread may detach it meanwhile
  if (buffer == nullptr) return none_attached();
  if (!buffer->empty()) block_until([&] { return buffer->empty(); }, {});
  return {};
}

Error detach(Extensions& owner, void* buffer_addr, MPI_Count* size) {
  if (Error error = flush(owner)) return error;
  const auto buffer = owner.share(kAttachedBuffer);
  *static_cast<void**>(buffer_addr) = buffer->memory();
  *size = static_cast<MPI_Count>(buffer->bytes());
  owner.clear(kAttachedBuffer);
  return {};
}

Error iflush(const Extensions& owner, MPI_Request* request) {
  AttachedBuffer* buffer = owner.get(kAttachedBuffer);
  if (buffer == nullptr) return none_attached();
  Request& made = requests.create();
  made.kind = RequestKind::flush;
  made.stage = Stage::active;
  *request = handle_of(made);
  buffer->add_flush(made);
  return {};
}

}  // namespace

// The model of MPI 5.0, 3.6.1: behind the youngest message, or at the start when there is too
// little space behind it; never beyond the oldest.
bool AttachedBuffer::find_room(std::size_t bytes, std::size_t& offset) const {
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

Error AttachedBuffer::send(Request& request) {
  const std::size_t bytes = request.capacity();
  if (Error error = engine->connect(request.peer_world)) return error;
  std::size_t offset = 0;
  std::unique_ptr<std::byte[]> own;
  std::byte* place;
  if (automatic()) {
    own.reset(new (std::nothrow) std::byte[std::max<std::size_t>(bytes, 1)]);
    if (own == nullptr)
      return make_error(MPI_ERR_NO_MEM, "no memory for a message of %zu bytes", bytes);
    place = own.get();
  } else {
    // Messages that can be sent now free their memory first, as in the model of 3.6.1: this
    // message must not lie in the middle of the memory that is free then.
    if (!messages_.empty()) engine->poll();
    if (!find_room(bytes, offset)) {
      return make_error(
          MPI_ERR_BUFFER,
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

void AttachedBuffer::sent(Request& request) {
  ATL_DCHECK(messages_.contains(request.post_order));
  messages_.erase(request.post_order);
  if (!flushes_.empty()) complete_flushes();
  // This may destroy the buffer: the request holds the communicator, and the communicator the
  // buffer.
  free_request(request);
}

void AttachedBuffer::add_flush(Request& flush) {
  flushes_.emplace_back(next_, &flush);
  complete_flushes();
}

void AttachedBuffer::complete_flushes() {
  const std::uint64_t oldest = messages_.empty() ? next_ : messages_.begin()->first;
  std::erase_if(flushes_, [oldest](const auto& flush) {
    if (flush.first > oldest) return false;
    engine->complete(*flush.second);
    return true;
  });
}

namespace {

AttachedBuffer* buffer_for(const Communicator& comm) {
  if (AttachedBuffer* buffer = comm.extensions.get(kAttachedBuffer)) return buffer;
  if (comm.session_state != nullptr) {
    if (AttachedBuffer* buffer = comm.session_state->extensions.get(kAttachedBuffer)) return buffer;
  }
  return process_extensions.get(kAttachedBuffer);
}

}  // namespace

Error send_from_buffer(Request& request) {
  AttachedBuffer* buffer = buffer_for(*request.communicator);
  if (buffer == nullptr) {
    return make_error(MPI_ERR_BUFFER, "a buffered send of %llu bytes, and no buffer is attached",
                      static_cast<unsigned long long>(request.capacity()));
  }
  return buffer->send(request);
}

Error buffer_attach(void* buffer, MPI_Count size) {
  return attach(process_extensions, buffer, size);
}

Error buffer_detach(void* buffer_addr, MPI_Count* size) {
  return detach(process_extensions, buffer_addr, size);
}

Error buffer_flush() { return flush(process_extensions); }

Error buffer_iflush(MPI_Request* request) { return iflush(process_extensions, request); }

Error comm_attach_buffer(Communicator& comm, void* buffer, MPI_Count size) {
  return attach(comm.extensions, buffer, size);
}

Error comm_detach_buffer(Communicator& comm, void* buffer_addr, MPI_Count* size) {
  return detach(comm.extensions, buffer_addr, size);
}

Error comm_flush_buffer(Communicator& comm) { return flush(comm.extensions); }

Error comm_iflush_buffer(Communicator& comm, MPI_Request* request) {
  return iflush(comm.extensions, request);
}

Error session_attach_buffer(Session& session, void* buffer, MPI_Count size) {
  return attach(session.session_state->extensions, buffer, size);
}

Error session_detach_buffer(Session& session, void* buffer_addr, MPI_Count* size) {
  return detach(session.session_state->extensions, buffer_addr, size);
}

Error session_flush_buffer(Session& session) { return flush(session.session_state->extensions); }

Error session_iflush_buffer(Session& session, MPI_Request* request) {
  return iflush(session.session_state->extensions, request);
}

}  // namespace atl::p2p
