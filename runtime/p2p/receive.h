// Receiving (MPI 5.0, 3.2.4, 3.7, 3.9). Arguments are checked by the caller.
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error recv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
           Communicator& comm, MPI_Status* status);
Error irecv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
            Communicator& comm, MPI_Request* request);
Error recv_init(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
                Communicator& comm, MPI_Request* request);

// The message to receive, for the other layers of the runtime.
struct Incoming {
  void* buffer;
  std::size_t count;
  const Datatype& type;
  std::int32_t source;  // rank in the communicator or MPI_ANY_SOURCE, not MPI_PROC_NULL
  std::int32_t tag;
  shm::ContextId context;
};

// Starts a receive and returns its request, for which no handle is given out.
Request& begin_receive(const Incoming& message, Communicator& comm);

// Starts a detached receive: `after` is called with the argument when the message is in the
// buffer, perhaps before this function returns.
void receive_then(const Incoming& message, Communicator& comm, void (*after)(void*, const Request&),
                  void* argument);

// Starts the receive that `request` describes; one from MPI_PROC_NULL completes.
void begin_receive(Request& request);

// Receives, blocking; the status may be null.
Error receive(const Incoming& message, Communicator& comm, MPI_Status* status);

}  // namespace atl::p2p
