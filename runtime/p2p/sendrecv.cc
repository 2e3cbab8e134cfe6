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

Error isendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
                int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
                int source, int recvtag, Communicator& comm, MPI_Request* request) {
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Request send = MPI_REQUEST_NULL;
  // The receive is posted first, so that a message to this rank itself matches it.
  if (Error error = irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive)) {
    return error;
  }
  // Only a buffered send can fail before it starts.
  if (Error error = isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &send)) return error;
  find_request(receive)->other = find_request(send);
  *request = receive;
  return {};
}

Error isendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                        int source, int recvtag, Communicator& comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * datatype.size();
  auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  datatype.pack(buf, 0, std::span(copy.get(), bytes));
  if (Error error = isendrecv(copy.get(), static_cast<MPI_Count>(bytes), datatype::bytes(), dest,
                              sendtag, buf, count, datatype, source, recvtag, comm, request)) {
    return error;
  }
  find_request(*request)->extra().owned = std::move(copy);  // until both halves are complete
  return {};
}

Error sendrecv(const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
               int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype,
               int source, int recvtag, Communicator& comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (Error error = isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                              recvtype, source, recvtag, comm, &request)) {
    return error;
  }
  block_on_own(*find_request(request));
  return wait(&request, status);
}

Error sendrecv_replace(void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                       int source, int recvtag, Communicator& comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (Error error =
          isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &request)) {
    return error;
  }
  block_on_own(*find_request(request));
  return wait(&request, status);
}

}  // namespace atl::p2p
