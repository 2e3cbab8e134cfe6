// Buffers for buffered sends (MPI 5.0, 3.6): one of the process, one of a session
// for what is derived from it, and one that a communicator may have of its own.
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

class SendBuffer {
 public:
  // `memory` may be MPI_BUFFER_AUTOMATIC: then each message gets its own.
  SendBuffer(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}

  void* memory() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

  // Copies the message that `request` describes here and sends it from here;
  // the request is then complete.
  Fault send(Request& request);

  // A send out of this buffer has completed; its room is free again.
  void sent(Request& request);

  bool empty() const { return messages_.empty(); }

  // Completes `flush` when all messages that are here now have been sent.
  void add_flush(Request& flush);

 private:
  struct Message {
    std::size_t offset;
    std::size_t bytes;
  };

  bool automatic() const { return memory_ == MPI_BUFFER_AUTOMATIC; }
  // Where `bytes` may go; false when they fit nowhere.
  bool find_room(std::size_t bytes, std::size_t& offset) const;
  void complete_flushes();

  void* memory_;
  std::size_t bytes_;
  std::uint64_t next_ = 0;                     // number of the next message
  std::map<std::uint64_t, Message> messages_;  // by number
  // Flushes, with the number of the first message they do not wait for.
  std::vector<std::pair<std::uint64_t, Request*>> flushes_;
};

// A request of mode buffered: through the buffer of its communicator, session or
// process, the first that there is.
Fault send_from_buffer(Request& request);

Fault buffer_attach(void* buffer, MPI_Count size);
Fault buffer_detach(void* buffer_addr, MPI_Count* size);
Fault buffer_flush();
Fault buffer_iflush(MPI_Request* request);
Fault comm_attach_buffer(Communicator& comm, void* buffer, MPI_Count size);
Fault comm_detach_buffer(Communicator& comm, void* buffer_addr, MPI_Count* size);
Fault comm_flush_buffer(Communicator& comm);
Fault comm_iflush_buffer(Communicator& comm, MPI_Request* request);
Fault session_attach_buffer(Session& session, void* buffer, MPI_Count size);
Fault session_detach_buffer(Session& session, void* buffer_addr, MPI_Count* size);
Fault session_flush_buffer(Session& session);
Fault session_iflush_buffer(Session& session, MPI_Request* request);

}  // namespace atl::p2p
