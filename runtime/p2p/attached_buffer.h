// Buffers for buffered sends (MPI 5.0, 3.6): one of the process, one of each session for the
// communicators derived from it, and one that a communicator may have of its own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "runtime/comm/session.h"
#include "runtime/p2p/request.h"

namespace atl::p2p {

class AttachedBuffer {
 public:
  // If `memory` is MPI_BUFFER_AUTOMATIC, memory is allocated for each message.
  AttachedBuffer(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}

  void* memory() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

  // Copies the message of `request` into this buffer and sends it from here; `request` is then
  // complete.
  Error send(Request& request);

  // A send from this buffer has completed: frees its memory and its request.
  void sent(Request& request);

  bool empty() const { return messages_.empty(); }

  // Completes `flush` when all messages that are now in the buffer have been sent.
  void add_flush(Request& flush);

 private:
  struct Message {
    std::size_t offset;
    std::size_t bytes;
  };

  bool automatic() const { return memory_ == MPI_BUFFER_AUTOMATIC; }
  // Finds free memory for `bytes` bytes; false when there is no such place.
  bool find_room(std::size_t bytes, std::size_t& offset) const;
  void complete_flushes();

  void* memory_;
  std::size_t bytes_;
  std::uint64_t next_ = 0;                     // number of the next message
  std::map<std::uint64_t, Message> messages_;  // by number
  // Flushes, with the number of the first message they do not wait for.
  std::vector<std::pair<std::uint64_t, Request*>> flushes_;
};

// Of a communicator, of a session, or of the process.
inline constexpr ExtensionSlot<AttachedBuffer> kAttachedBuffer{Extension::attached_buffer};

// Sends a request of mode buffered through the buffer of its communicator, session or process:
// the first of them that is attached.
Error send_from_buffer(Request& request);

Error buffer_attach(void* buffer, MPI_Count size);
Error buffer_detach(void* buffer_addr, MPI_Count* size);
Error buffer_flush();
Error buffer_iflush(MPI_Request* request);
Error comm_attach_buffer(Communicator& comm, void* buffer, MPI_Count size);
Error comm_detach_buffer(Communicator& comm, void* buffer_addr, MPI_Count* size);
Error comm_flush_buffer(Communicator& comm);
Error comm_iflush_buffer(Communicator& comm, MPI_Request* request);
Error session_attach_buffer(Session& session, void* buffer, MPI_Count size);
Error session_detach_buffer(Session& session, void* buffer_addr, MPI_Count* size);
Error session_flush_buffer(Session& session);
Error session_iflush_buffer(Session& session, MPI_Request* request);

}  // namespace atl::p2p
