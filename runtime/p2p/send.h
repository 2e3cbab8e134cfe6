// Sending (MPI 5.0, 3.2, 3.4, 3.7, 3.9). Arguments are checked by the caller.
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Fault send(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Communicator& comm);
Fault bsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);
Fault ssend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);
Fault rsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm);

Fault isend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Communicator& comm, MPI_Request* request);
Fault ibsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);
Fault issend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);
Fault irsend(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
             Communicator& comm, MPI_Request* request);

Fault send_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                Communicator& comm, MPI_Request* request);
Fault bsend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);
Fault ssend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);
Fault rsend_init(const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                 Communicator& comm, MPI_Request* request);

// Where a message goes, for the other layers of the runtime, which have contexts
// and tags of their own.
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
Fault send_to(const Outgoing& message, Communicator& comm);

// Starts a send that nobody holds. True when it is done already; otherwise
// `after` is called with the argument when the buffer is free again.
bool send_then(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
               void* argument);

// Sends a copy of the message and returns at once. False when there is no room for
// it yet: it follows, and then `after` is called with the argument. For short ones.
bool post(const Outgoing& message, Communicator& comm, void (*after)(void*, const Request&),
          void* argument);

// Starts the send that `request` describes; a request for MPI_PROC_NULL completes.
Fault begin(Request& request);

}  // namespace atl::p2p
