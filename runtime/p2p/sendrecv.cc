#include "runtime/p2p/sendrecv.h"

#include <memory>
#include <span>

#include "datatype/predefined.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/completion.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::p2p {

Fault isendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
                int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
                int source, int recvtag, Communicator& comm, MPI_Request* request) {
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Request send = MPI_REQUEST_NULL;
  // The receive first: a message to this very rank then finds it.
  if (Fault fault = irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive)) {
    return fault;
  }
  // Only a buffered send can fail before it starts.
  if (Fault fault = isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &send)) return fault;
  find_request(receive)->other = find_request(send);
  *request = receive;
  return {};
}

Fault isendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                        int source, int recvtag, Communicator& comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * datatype.size();
  auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  datatype.pack(buf, 0, std::span(copy.get(), bytes));
  if (Fault fault = isendrecv(copy.get(), static_cast<MPI_Count>(bytes), datatype::bytes(), dest,
                              sendtag, buf, count, datatype, source, recvtag, comm, request)) {
    return fault;
  }
  find_request(*request)->extra().owned = std::move(copy);  // until both halves are complete
  return {};
}

Fault sendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
               int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
               int source, int recvtag, Communicator& comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (Fault fault = isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                              recvtype, source, recvtag, comm, &request)) {
    return fault;
  }
  block_on_own(*find_request(request));
  return wait(&request, status);
}

Fault sendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                       int source, int recvtag, Communicator& comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (Fault fault =
          isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &request)) {
    return fault;
  }
  block_on_own(*find_request(request));
  return wait(&request, status);
}

}  // namespace atl::p2p
