// Probing and matched receives (MPI 5.0, 3.8).
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error probe(int source, int tag, Communicator& comm, MPI_Status* status);
Error iprobe(int source, int tag, Communicator& comm, int* flag, MPI_Status* status);
Error mprobe(int source, int tag, Communicator& comm, MPI_Message* message, MPI_Status* status);
Error improbe(int source, int tag, Communicator& comm, int* flag, MPI_Message* message,
              MPI_Status* status);
Error mrecv(void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
            MPI_Status* status);
Error imrecv(void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
             MPI_Request* request);

}  // namespace atl::p2p

namespace atl {

template <>
MPI_Message handle_from_int(int number);

}  // namespace atl
