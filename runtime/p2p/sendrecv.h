// Send and receive in one call (MPI 5.0, 3.10).
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error sendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
               int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
               int source, int recvtag, Communicator& comm, MPI_Status* status);
Error sendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                       int source, int recvtag, Communicator& comm, MPI_Status* status);
Error isendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
                int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
                int source, int recvtag, Communicator& comm, MPI_Request* request);
Error isendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                        int source, int recvtag, Communicator& comm, MPI_Request* request);

}  // namespace atl::p2p
