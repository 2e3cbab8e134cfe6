// Persistent requests: made once, started many times, data read again at each start, and what
// remains valid when they are completed, restarted or freed.
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

constexpr int kRounds = 30;

// The same two requests carry different data in each round.
void restart(int bytes) {
  for (auto call : {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init}) {
    check::set_case("restarts, %d bytes", bytes);
    std::vector<char> out(bytes);
    check::Buffer in(bytes);
    MPI_Request send, receive;
    call(out.data(), bytes, MPI_BYTE, right(), 1, MPI_COMM_WORLD, &send);
    MPI_Recv_init(in.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &receive);
    const MPI_Request kept = receive;
    for (int round = 0; round < kRounds; ++round) {
      check::fill(out.data(), bytes, check::rank * 1000 + round);
      in.reset();
      // Alternately starts the receive first or the send first.
      MPI_Start(round % 2 ? &send : &receive);
      MPI_Start(round % 2 ? &receive : &send);
      MPI_Status status;
      MPI_Wait(&receive, &status);
      CHECK_EQ(status.MPI_SOURCE, left());
      CHECK_PATTERN(in.data(), bytes, left() * 1000 + round);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      CHECK(receive == kept);  // inactive, not freed
      // All have received, so the attached buffer has free space again.
      if (call == MPI_Bsend_init) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    CHECK(send == MPI_REQUEST_NULL);
  }
}

// Ready sends need a started receive: the token signals it.
void ready() {
  check::set_case("ready");
  int out = 0, in = -1;
  MPI_Request requests[4];
  MPI_Recv_init(&in, 1, MPI_INT, left(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(nullptr, 0, MPI_BYTE, left(), 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv_init(nullptr, 0, MPI_BYTE, right(), 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Rsend_init(&out, 1, MPI_INT, right(), 1, MPI_COMM_WORLD, &requests[3]);
  for (out = 0; out < kRounds; ++out) {
    MPI_Startall(3, requests);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    MPI_Start(&requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK_EQ(in, out);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

// Startall starts in order; several receives of one tag are filled in that order.
void start_all() {
  check::set_case("MPI_Startall");
  constexpr int kMany = 16;
  int out[kMany], in[kMany];
  MPI_Request requests[2 * kMany];
  for (int i = 0; i < kMany; ++i) {
    MPI_Recv_init(&in[i], 1, MPI_INT, left(), 3, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(&out[i], 1, MPI_INT, right(), 3, MPI_COMM_WORLD, &requests[kMany + i]);
  }
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kMany; ++i) {
      in[i] = -1;
      out[i] = round * kMany + i;
    }
    MPI_Startall(2 * kMany, requests);
    // Completion of some at a time: each request is inactive afterwards and skipped later.
    int done = 0, completed = 0, indices[2 * kMany];
    while (done < 2 * kMany) {
      MPI_Waitsome(2 * kMany, requests, &completed, indices, MPI_STATUSES_IGNORE);
      CHECK(completed >= 1);
      done += completed;
    }
    for (int i = 0; i < kMany; ++i) CHECK_EQ(in[i], round * kMany + i);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

// Freed while active: the communication still takes place (3.7.3).
void free_while_active(int bytes) {
  check::set_case("freed while active, %d bytes", bytes);
  std::vector<char> out(bytes), in(bytes);
  check::fill(out.data(), bytes, check::rank);
  MPI_Request request;
  MPI_Send_init(out.data(), bytes, MPI_BYTE, right(), 4, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Recv(in.data(), bytes, MPI_BYTE, left(), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_PATTERN(in.data(), bytes, left());
  MPI_Barrier(MPI_COMM_WORLD);  // all have received, so `out` may be destroyed
}

// Made and never started: no message is sent and nothing is left behind.
void never_started() {
  check::set_case("never started");
  int out = 1, in = 2;
  for (int i = 0; i < 1000; ++i) {
    MPI_Request send, receive;
    MPI_Send_init(&out, 1, MPI_INT, right(), 5, MPI_COMM_WORLD, &send);
    MPI_Recv_init(&in, 1, MPI_INT, left(), 5, MPI_COMM_WORLD, &receive);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Iprobe(left(), 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  CHECK_EQ(in, 2);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> attached(2 * (65536 + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  for (int bytes : {0, 4, 64, 1000, 65536}) {
    restart(bytes);
    free_while_active(bytes);
  }
  ready();
  start_all();
  free_while_active(1 << 20);
  never_started();
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
