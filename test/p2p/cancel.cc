// Cancelling receives and sends (3.8.4): a cancelled operation has no effect; an operation that
// was not cancelled runs as if MPI_Cancel had not been called.
#include <unistd.h>
#include <algorithm>
#include <csignal>

#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

constexpr int kData = 1;
constexpr int kVerdict = 2;

// Above the largest eager limit that a machine's measurement can give (1 MiB,
// runtime/p2p/limits.cc): such a message waits for its receive on every machine.
constexpr int kNeverEager = (1 << 20) + 1;

bool cancelled(const MPI_Status& status) {
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  return flag != 0;
}

// No rank sends, so cancelling must succeed, alone or in a list.
void unmatched_receives() {
  check::set_case("receives that nothing matches");
  int values[4] = {7, 7, 7, 7};
  MPI_Request requests[4];
  MPI_Status statuses[4];
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 4; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, i % 2 ? left() : MPI_ANY_SOURCE, i < 2 ? 99 : MPI_ANY_TAG,
                MPI_COMM_WORLD, &requests[i]);
    }
    for (MPI_Request& request : requests) {
      MPI_Cancel(&request);
      CHECK(request != MPI_REQUEST_NULL);  // still to be completed
    }
    MPI_Wait(&requests[0], &statuses[0]);
    int flag = 0;
    MPI_Test(&requests[1], &flag, &statuses[1]);
    CHECK_EQ(flag, 1);
    MPI_Waitall(2, &requests[2], &statuses[2]);
    for (int i = 0; i < 4; ++i) {
      CHECK(cancelled(statuses[i]));
      CHECK(requests[i] == MPI_REQUEST_NULL);
      CHECK_EQ(values[i], 7);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// After a cancelled receive the message goes to the next receive that fits.
void next_receive_gets_it() {
  check::set_case("message after a cancelled receive");
  int first = -1, second = -1, value = check::rank;
  MPI_Request requests[2];
  MPI_Irecv(&first, 1, MPI_INT, left(), kData, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&second, 1, MPI_INT, MPI_ANY_SOURCE, kData, MPI_COMM_WORLD, &requests[1]);
  MPI_Cancel(&requests[0]);
  MPI_Status status;
  MPI_Wait(&requests[0], &status);
  CHECK(cancelled(status));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, right(), kData, MPI_COMM_WORLD);
  MPI_Wait(&requests[1], &status);
  CHECK(!cancelled(status));
  CHECK_EQ(first, -1);
  CHECK_EQ(second, left());
  MPI_Barrier(MPI_COMM_WORLD);
}

// The message may arrive before MPI_Cancel: either it is received, or the receive is cancelled
// and the next receive gets the message.
void raced_receives(int bytes) {
  check::set_case("receives cancelled while the message comes, %d bytes", bytes);
  for (int round = 0; round < 20; ++round) {
    check::Buffer in(bytes);
    std::vector<char> out(bytes);
    check::fill(out.data(), bytes, round);
    MPI_Request send, receive;
    MPI_Irecv(in.data(), bytes, MPI_BYTE, left(), kData, MPI_COMM_WORLD, &receive);
    MPI_Isend(out.data(), bytes, MPI_BYTE, right(), kData, MPI_COMM_WORLD, &send);
    for (int i = 0; i < round; ++i) {  // some rounds let the message progress first
      int flag;
      MPI_Iprobe(left(), 98, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Cancel(&receive);
    MPI_Status status;
    MPI_Wait(&receive, &status);
    if (cancelled(status)) {
      CHECK(in.guards_intact(0));
      MPI_Recv(in.data(), bytes, MPI_BYTE, left(), kData, MPI_COMM_WORLD, &status);
    }
    CHECK_PATTERN(in.data(), bytes, round);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
}

void completed_receive() {
  check::set_case("a completed receive");
  int in = -1, value = check::rank;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, left(), kData, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&value, 1, MPI_INT, right(), kData, MPI_COMM_WORLD, &requests[1]);
  for (int flag = 0; !flag;) MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Cancel(&requests[0]);
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  CHECK(!cancelled(statuses[0]));
  CHECK_EQ(in, left());
}

// Cancelling ends one activity of a persistent request, not the request.
void persistent() {
  check::set_case("persistent receive");
  int in = -1;
  MPI_Request receive;
  MPI_Recv_init(&in, 1, MPI_INT, left(), kData, MPI_COMM_WORLD, &receive);
  for (int round = 0; round < 10; ++round) {
    MPI_Status status;
    MPI_Start(&receive);
    MPI_Cancel(&receive);
    MPI_Wait(&receive, &status);
    CHECK(cancelled(status));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&receive);
    MPI_Request send;
    MPI_Isend(&round, 1, MPI_INT, right(), kData, MPI_COMM_WORLD, &send);
    MPI_Wait(&receive, &status);
    CHECK(!cancelled(status));
    CHECK_EQ(in, round);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&receive);
}

// --- sends, between a rank and its partner ---
// Only on Atoll: others let MPI_Wait after MPI_Cancel wait for the receiver,
// though the standard makes it local.

using Call = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// A send for which no receive was posted: the partner is told the result and checks whether the
// message has arrived.
void send_side(Call call, int bytes, int peer, bool must) {
  std::vector<char> data(bytes);
  check::fill(data.data(), bytes, bytes);
  MPI_Request request;
  call(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  const int gone = cancelled(status);
  if (must) CHECK_EQ(gone, 1);
  std::ranges::fill(data, 0);
  MPI_Send(&gone, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD);
}

void receive_side(int bytes, int peer) {
  int gone = -1;
  MPI_Recv(&gone, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int flag = -1;
  MPI_Iprobe(peer, kData, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (gone) {
    CHECK_EQ(flag, 0);
    return;
  }
  std::vector<char> data(bytes);
  MPI_Recv(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_PATTERN(data.data(), bytes, bytes);
}

void unmatched_sends() {
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  for (Call call : {MPI_Isend, MPI_Issend, MPI_Ibsend}) {
    for (int bytes : {0, 40, 64, 1000, 5000, 70000, 300000, kNeverEager}) {
      check::set_case("%s, %d bytes, nothing posted",
                      call == MPI_Isend    ? "MPI_Isend"
                      : call == MPI_Issend ? "MPI_Issend"
                                           : "MPI_Ibsend",
                      bytes);
      // A message that waits for its receive can always be cancelled.
      const bool must = call == MPI_Issend || (call == MPI_Isend && bytes == kNeverEager);
      for (int turn = 0; turn < 2; ++turn) {
        if ((check::rank & 1) == turn) {
          send_side(call, bytes, peer, must);
        } else {
          receive_side(bytes, peer);
        }
      }
    }
  }
}

// Sends cancelled while a receive may just be matching them: whatever the result, sender and
// receiver must agree on the number of messages.
void raced_sends() {
  check::set_case("sends cancelled while they are received");
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  constexpr int kSends = 60;
  constexpr int kBytes = 100000;
  std::vector<char> data(kBytes, char(peer));
  if (check::rank & 1) {
    int kept = 0;
    for (int i = 0; i < kSends; ++i) {
      MPI_Request request;
      const Call call = i % 2 ? MPI_Issend : MPI_Isend;
      call(data.data(), i % 3 ? kBytes : 32, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &request);
      MPI_Cancel(&request);
      MPI_Status status;
      MPI_Wait(&request, &status);
      kept += !cancelled(status);
    }
    MPI_Send(&kept, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD);
    return;
  }
  int received = 0, kept = -1;
  MPI_Request requests[2];
  MPI_Irecv(data.data(), kBytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&kept, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD, &requests[1]);
  while (kept < 0 || received < kept) {
    int index = -1;
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    if (index != 0) continue;
    ++received;
    MPI_Irecv(data.data(), kBytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &requests[0]);
  }
  CHECK_EQ(received, kept);
  MPI_Status status;
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  CHECK(cancelled(status));
}

// MPI_Wait after MPI_Cancel is local (3.8.4): it returns while the partner is
// outside MPI, here asleep until a signal comes.
void local_completion() {
  check::set_case("wait after cancel is local");
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  if (check::rank & 1) {
    int partner = 0;
    MPI_Recv(&partner, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<char> data(kNeverEager);
    for (Call call : {MPI_Isend, MPI_Issend}) {
      for (int bytes : {0, 64, 5000, kNeverEager}) {
        MPI_Request request;
        MPI_Status status;
        call(data.data(), bytes, MPI_BYTE, peer, 50, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        if (call == MPI_Issend || bytes == kNeverEager) CHECK(cancelled(status));
      }
    }
    kill(partner, SIGUSR1);
    return;
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const int me = getpid();
  MPI_Send(&me, 1, MPI_INT, peer, kVerdict, MPI_COMM_WORLD);
  int signal = 0;
  CHECK_EQ(sigwait(&set, &signal), 0);
  // Small standard sends may have completed; their messages are received here.
  std::vector<char> data(kNeverEager);
  for (;;) {
    int flag = -1;
    MPI_Iprobe(peer, 50, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (!flag) break;
    MPI_Recv(data.data(), kNeverEager, MPI_BYTE, peer, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> attached(kNeverEager + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  unmatched_receives();
  next_receive_gets_it();
  for (int bytes : {4, 64, 5000, 200000}) raced_receives(bytes);
  completed_receive();
  persistent();
  if (check::on_atoll()) {
    unmatched_sends();
    raced_sends();
    local_completion();
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
