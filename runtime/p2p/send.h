// Sending (MPI 5.0, 3.2, 3.4, 3.7, 3.9). Arguments are checked by the caller.
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error send(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Communicator& comm);
Error bsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);
Error ssend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);
Error rsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);

Error isend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm, MPI_Request* request);
Error ibsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);
Error issend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);
Error irsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);

Error send_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                Communicator& comm, MPI_Request* request);
Error bsend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);
Error ssend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);
Error rsend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);

// A message and its destination, for the other layers of the runtime, which have contexts and
// tags of their own.
struct Outgoing {
  const void* buffer;
  std::size_t count;
  const Datatype& type;
  std::int32_t destination;  // rank in the communicator, not MPI_PROC_NULL
  std::int32_t tag;
  shm::ContextId context;
  bool ready = false;
};

// Sends, blocking, in standard mode.
Error send_to(const Outgoing& message, Communicator& comm);

// Starts a detached send. True when it is complete already; otherwise `after` is called with the
// argument when the buffer may be reused.
bool send_then(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
               void* argument);

// Sends a short contiguous message without blocking; the buffer may be reused on return. False
// when it could not be sent at once: a copy is sent later, and then `after` is called with the
// argument.
bool post(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
          void* argument);

// Starts the send that `request` describes; a request for MPI_PROC_NULL completes.
Error begin(Request& request);

}  // namespace atl::p2p
