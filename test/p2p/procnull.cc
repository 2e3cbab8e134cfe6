// MPI_PROC_NULL (3.10): every call accepts it, does nothing and says so in the status.
#include <vector>

#include "test/check.h"

namespace {

constexpr int kUntouched = 0x5eed;

int data = kUntouched;

void check_null_status(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 0);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(status.MPI_TAG, MPI_ANY_TAG);
  CHECK_EQ(data, kUntouched);
}

MPI_Status unset_status() {
  MPI_Status status;
  std::memset(&status, 0x33, sizeof status);
  return status;
}

void sends() {
  check::set_case("sends");
  for (auto call : {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend}) {
    CHECK_EQ(call(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD), MPI_SUCCESS);
  }
  for (auto call : {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend}) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_EQ(call(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    CHECK_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
  }
}

void receives() {
  check::set_case("receives");
  for (int tag : {3, MPI_ANY_TAG}) {
    MPI_Status status = unset_status();
    MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
    check_null_status(status);

    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request);
    status = unset_status();
    MPI_Wait(&request, &status);
    check_null_status(status);

    MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request);
    int flag = 0;
    status = unset_status();
    MPI_Test(&request, &flag, &status);
    CHECK_EQ(flag, 1);
    check_null_status(status);
  }
}

void probes() {
  check::set_case("probes");
  MPI_Status status = unset_status();
  MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_null_status(status);

  int flag = 0;
  status = unset_status();
  MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status);
  CHECK_EQ(flag, 1);
  check_null_status(status);

  MPI_Message message = MPI_MESSAGE_NULL;
  status = unset_status();
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  check_null_status(status);
  status = unset_status();
  MPI_Mrecv(&data, 1, MPI_INT, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL);
  check_null_status(status);

  flag = 0;
  status = unset_status();
  MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK_EQ(flag, 1);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  check_null_status(status);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Imrecv(&data, 1, MPI_INT, &message, &request);
  CHECK(message == MPI_MESSAGE_NULL);
  status = unset_status();
  MPI_Wait(&request, &status);
  check_null_status(status);
}

void exchanges() {
  check::set_case("exchanges");
  int out = 1;
  MPI_Status status = unset_status();
  MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 1, &data, 1, MPI_INT, MPI_PROC_NULL, 1,
               MPI_COMM_WORLD, &status);
  check_null_status(status);
  status = unset_status();
  MPI_Sendrecv_replace(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                       &status);
  check_null_status(status);

#if MPI_LEVEL >= 40
  MPI_Request request;
  MPI_Isendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 1, &data, 1, MPI_INT, MPI_PROC_NULL, 1,
                MPI_COMM_WORLD, &request);
  status = unset_status();
  MPI_Wait(&request, &status);
  check_null_status(status);
  MPI_Isendrecv_replace(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                        &request);
  status = unset_status();
  MPI_Wait(&request, &status);
  check_null_status(status);
#endif
}

void persistent() {
  check::set_case("persistent");
  MPI_Request requests[5];
  const auto kInits = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
  int n = 0;
  for (auto call : kInits) {
    call(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Recv_init(&data, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[n]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(5, requests);
    MPI_Status statuses[5];
    for (MPI_Status& status : statuses) status = unset_status();
    MPI_Waitall(5, requests, statuses);
    check_null_status(statuses[4]);
  }
  for (MPI_Request& request : requests) {
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
  }
}

// The usual reason for MPI_PROC_NULL: a shift along a line with open ends.
void shift() {
  check::set_case("shift along a line");
  const int below = check::rank > 0 ? check::rank - 1 : MPI_PROC_NULL;
  const int above = check::rank + 1 < check::size ? check::rank + 1 : MPI_PROC_NULL;
  int in = kUntouched;
  MPI_Status status;
  MPI_Sendrecv(&check::rank, 1, MPI_INT, above, 2, &in, 1, MPI_INT, below, 2, MPI_COMM_WORLD,
               &status);
  CHECK_EQ(in, below == MPI_PROC_NULL ? kUntouched : below);
  CHECK_EQ(status.MPI_SOURCE, below);
  int moving = check::rank;
  MPI_Sendrecv_replace(&moving, 1, MPI_INT, above, 2, below, 2, MPI_COMM_WORLD, &status);
  CHECK_EQ(moving, below == MPI_PROC_NULL ? check::rank : below);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> attached(1000 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  sends();
  receives();
  probes();
  exchanges();
  persistent();
  shift();
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
