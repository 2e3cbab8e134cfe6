// Empty messages are messages: they are matched, ordered, probed and counted.
#include <vector>

#include "test/check.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

int count_of(const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(&status, type, &count);
  return count;
}

// Every mode, with a null buffer and each of several types.
void modes() {
  for (MPI_Datatype type : {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_PACKED, MPI_SHORT_INT}) {
    for (auto call : {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend}) {
      MPI_Request requests[2];
      MPI_Irecv(nullptr, 0, type, left(), 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Barrier(MPI_COMM_WORLD);  // a ready send finds its receive
      call(nullptr, 0, type, right(), 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Status statuses[2];
      MPI_Waitall(2, requests, statuses);
      CHECK_EQ(statuses[0].MPI_SOURCE, left());
      CHECK_EQ(statuses[0].MPI_TAG, 1);
      CHECK_EQ(count_of(statuses[0], type), 0);
    }
  }
}

// An empty message may arrive in a longer buffer, and leaves it unchanged.
void into_room() {
  int room = 4711;
  MPI_Status status;
  MPI_Sendrecv(nullptr, 0, MPI_INT, right(), 2, &room, 1, MPI_INT, left(), 2, MPI_COMM_WORLD,
               &status);
  CHECK_EQ(room, 4711);
  CHECK_EQ(count_of(status, MPI_INT), 0);
  MPI_Sendrecv_replace(&room, 0, MPI_INT, right(), 2, left(), 2, MPI_COMM_WORLD, &status);
  CHECK_EQ(room, 4711);
  CHECK_EQ(count_of(status, MPI_INT), 0);
}

// Alternating empty and non-empty messages stay in order.
void order() {
  constexpr int kPairs = 100;
  std::vector<MPI_Request> requests;
  std::vector<int> values(kPairs);
  for (int i = 0; i < kPairs; ++i) {
    values[i] = i;
    for (int count : {0, 1}) {
      requests.emplace_back();
      MPI_Isend(&values[i], count, MPI_INT, right(), 3, MPI_COMM_WORLD, &requests.back());
    }
  }
  for (int i = 0; i < 2 * kPairs; ++i) {
    int value = -1;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, left(), 3, MPI_COMM_WORLD, &status);
    CHECK_EQ(count_of(status, MPI_INT), i % 2);
    CHECK_EQ(value, i % 2 ? i / 2 : -1);
  }
  MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void probes() {
  MPI_Request request;
  MPI_Isend(nullptr, 0, MPI_INT, right(), 4, MPI_COMM_WORLD, &request);
  MPI_Status status;
  MPI_Probe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  CHECK_EQ(status.MPI_TAG, 4);
  CHECK_EQ(count_of(status, MPI_INT), 0);
  MPI_Message message;
  MPI_Mprobe(left(), 4, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(nullptr, 0, MPI_INT, &message, &status);
  CHECK_EQ(count_of(status, MPI_INT), 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> attached(8 * MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  for (int round = 0; round < 5; ++round) {
    modes();
    into_room();
    order();
    probes();
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
