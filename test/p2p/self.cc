// Messages to oneself, through MPI_COMM_SELF and through MPI_COMM_WORLD.
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using check::Buffer;

// The communicator under test and this rank in it.
struct Place {
  MPI_Comm comm;
  int me;
};

int count_of(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  return count;
}

// All modes with a receive that is posted later; a synchronous send needs it to complete.
void later_receive(const Place& at, int bytes) {
  for (auto call : {MPI_Isend, MPI_Issend, MPI_Ibsend}) {
    Buffer out(bytes), in(bytes);
    check::fill(out.data(), bytes, bytes);
    MPI_Request request;
    call(out.data(), bytes, MPI_BYTE, at.me, 1, at.comm, &request);
    int done = 0;
    if (call == MPI_Issend) {
      for (int i = 0; i < 100; ++i) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      CHECK_EQ(done, 0);
    }
    MPI_Status status;
    MPI_Recv(in.data(), bytes, MPI_BYTE, at.me, 1, at.comm, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(count_of(status), bytes);
    CHECK_EQ(status.MPI_SOURCE, at.me);
    CHECK_PATTERN(in.data(), bytes, bytes);
    CHECK(in.guards_intact());
  }
}

// Blocking sends of every mode to a posted receive.
void posted_receive(const Place& at, int bytes) {
  for (auto call : {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend}) {
    Buffer out(bytes), in(bytes);
    check::fill(out.data(), bytes, bytes + 1);
    MPI_Request request;
    MPI_Irecv(in.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, at.comm, &request);
    call(out.data(), bytes, MPI_BYTE, at.me, 9, at.comm);
    MPI_Status status;
    MPI_Wait(&request, &status);
    CHECK_EQ(count_of(status), bytes);
    CHECK_EQ(status.MPI_SOURCE, at.me);
    CHECK_EQ(status.MPI_TAG, 9);
    CHECK_PATTERN(in.data(), bytes, bytes + 1);
  }
}

void exchange_with_self(const Place& at, int bytes) {
  Buffer out(bytes), in(bytes);
  check::fill(out.data(), bytes, 5);
  MPI_Sendrecv(out.data(), bytes, MPI_BYTE, at.me, 2, in.data(), bytes, MPI_BYTE, at.me, 2, at.comm,
               MPI_STATUS_IGNORE);
  CHECK_PATTERN(in.data(), bytes, 5);
  MPI_Status status;
  MPI_Sendrecv_replace(in.data(), bytes, MPI_BYTE, at.me, 3, MPI_ANY_SOURCE, MPI_ANY_TAG, at.comm,
                       &status);
  CHECK_EQ(count_of(status), bytes);
  CHECK_EQ(status.MPI_TAG, 3);
  CHECK_PATTERN(in.data(), bytes, 5);
  CHECK(in.guards_intact());
}

void probes(const Place& at, int bytes) {
  Buffer out(bytes), in(bytes);
  check::fill(out.data(), bytes, 6);
  int flag = -1;
  MPI_Iprobe(at.me, 4, at.comm, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Request request;
  MPI_Isend(out.data(), bytes, MPI_BYTE, at.me, 4, at.comm, &request);
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, at.comm, &status);
  CHECK_EQ(count_of(status), bytes);
  MPI_Message message;
  MPI_Mprobe(at.me, 4, at.comm, &message, &status);
  CHECK_EQ(count_of(status), bytes);
  MPI_Mrecv(in.data(), bytes, MPI_BYTE, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_PATTERN(in.data(), bytes, 6);
}

// Many messages in flight at once stay in order.
void many(const Place& at) {
  constexpr int kMany = 200;
  std::vector<int> out(kMany), in(kMany, -1);
  std::vector<MPI_Request> requests;
  for (int i = 0; i < kMany; ++i) {
    out[i] = i;
    requests.emplace_back();
    MPI_Isend(&out[i], 1, MPI_INT, at.me, 5, at.comm, &requests.back());
  }
  for (int i = 0; i < kMany; ++i) {
    requests.emplace_back();
    MPI_Irecv(&in[i], 1, MPI_INT, at.me, 5, at.comm, &requests.back());
  }
  MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  CHECK(in == out);
}

void persistent(const Place& at) {
  int out = 0, in = -1;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, at.me, 6, at.comm, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, at.me, 6, at.comm, &requests[1]);
  for (out = 0; out < 20; ++out) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_EQ(in, out);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  constexpr int kMost = (1 << 20) + 3;
  std::vector<char> attached(kMost + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  for (const Place& at : {Place{MPI_COMM_SELF, 0}, Place{MPI_COMM_WORLD, check::rank}}) {
    for (int bytes : check::interesting_sizes(check::size <= 8 ? kMost : 65536)) {
      check::set_case("%s, %d bytes", at.comm == MPI_COMM_SELF ? "self" : "world", bytes);
      later_receive(at, bytes);
      posted_receive(at, bytes);
      exchange_with_self(at, bytes);
      probes(at, bytes);
    }
    many(at);
    persistent(at);
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
