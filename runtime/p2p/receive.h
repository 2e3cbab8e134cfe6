// Receiving (MPI 5.0, 3.2.4, 3.7, 3.9). Arguments are checked by the caller.
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Fault recv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
           Communicator& comm, MPI_Status* status);
Fault irecv(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
            Communicator& comm, MPI_Request* request);
Fault recv_init(void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
                Communicator& comm, MPI_Request* request);

// What is to come, for the other layers of the runtime.
struct Incoming {
  void* buffer;
  std::size_t count;
  const Datatype& type;
  std::int32_t source;  // rank in the communicator or MPI_ANY_SOURCE, not MPI_PROC_NULL
  std::int32_t tag;
  shm::ContextId context;
};

// A started receive without a handle.
Request& begin_receive(const Incoming& message, Communicator& comm);

// Starts a receive that nobody holds: `after` is called with the argument when
// the message is in the buffer, perhaps at once.
void receive_then(const Incoming& message, Communicator& comm, void (*after)(void*, const Request&),
                  void* argument);

// Starts the receive that `request` describes; one from MPI_PROC_NULL completes.
void begin_receive(Request& request);

// Receives, blocking; the status may be null.
Fault receive(const Incoming& message, Communicator& comm, MPI_Status* status);

}  // namespace atl::p2p
