// Bad arguments to the calls that send and receive at once: neither half happens.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Arguments;
using errors::Bad;
using errors::Untouched;

// Calls each of the eight functions with one half bad. With the replacing
// ones, buffer, count and type belong to both halves.
void sendrecv(const Bad& bad, const Arguments& send, const Arguments& receive, MPI_Comm comm) {
  const auto& [arguments, error_class, argument, value] = bad;
  Untouched<MPI_Status> status;
  Untouched<MPI_Request> request;
  EXPECT_ERROR(error_class, argument, value,
               MPI_Sendrecv(send.buf, send.count, send.type, send.peer, send.tag, receive.buf,
                            receive.count, receive.type, receive.peer, receive.tag, comm, &status));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Sendrecv_c(send.buf, send.count, send.type, send.peer, send.tag, receive.buf,
                     receive.count, receive.type, receive.peer, receive.tag, comm, &status));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Isendrecv(send.buf, send.count, send.type, send.peer, send.tag, receive.buf,
                    receive.count, receive.type, receive.peer, receive.tag, comm, &request));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Isendrecv_c(send.buf, send.count, send.type, send.peer, send.tag, receive.buf,
                      receive.count, receive.type, receive.peer, receive.tag, comm, &request));
}

void sendrecv_replace(const Bad& bad, int dest, int sendtag, int source, int recvtag) {
  const auto& [arguments, error_class, argument, value] = bad;
  const auto& [buf, count, type, peer, tag, comm] = arguments;
  Untouched<MPI_Status> status;
  Untouched<MPI_Request> request;
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Sendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, &status));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Sendrecv_replace_c(buf, count, type, dest, sendtag, source, recvtag, comm, &status));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Isendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, &request));
  EXPECT_ERROR(
      error_class, argument, value,
      MPI_Isendrecv_replace_c(buf, count, type, dest, sendtag, source, recvtag, comm, &request));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  {
    Untouched<int> out, in;
    const int me = check::rank;
    const Arguments send{&out, 1, MPI_INT, me, 3, MPI_COMM_WORLD};
    const Arguments receive{&in, 1, MPI_INT, me, 3, MPI_COMM_WORLD};

    errors::Names names{"sendbuf", "sendcount", "sendtype", "dest", "sendtag"};
    for (const Bad& bad : errors::bad_arguments(send, names, errors::Direction::send)) {
      sendrecv(bad, bad.arguments, receive, bad.arguments.comm);
    }
    names = {"recvbuf", "recvcount", "recvtype", "source", "recvtag"};
    for (const Bad& bad : errors::bad_arguments(receive, names, errors::Direction::receive)) {
      sendrecv(bad, send, bad.arguments, bad.arguments.comm);
    }

    names = {"buf", "count", "datatype", "dest", "sendtag"};
    for (const Bad& bad : errors::bad_arguments(send, names, errors::Direction::send)) {
      sendrecv_replace(bad, bad.arguments.peer, bad.arguments.tag, me, 3);
    }
    names = {"buf", "count", "datatype", "source", "recvtag"};
    for (const Bad& bad : errors::bad_arguments(receive, names, errors::Direction::receive)) {
      sendrecv_replace(bad, me, 3, bad.arguments.peer, bad.arguments.tag);
    }
    EXPECT_ERROR(
        MPI_ERR_ARG, "request", "",
        MPI_Isendrecv(&out, 1, MPI_INT, me, 3, &in, 1, MPI_INT, me, 3, MPI_COMM_WORLD, nullptr));
    EXPECT_ERROR(MPI_ERR_ARG, "request", "",
                 MPI_Isendrecv_replace(&in, 1, MPI_INT, me, 3, me, 3, MPI_COMM_WORLD, nullptr));
  }
  errors::check_all_is_well();
  return check::finish();
}
