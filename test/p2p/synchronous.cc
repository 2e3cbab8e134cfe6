// Synchronous sends: none completes before its receive has begun, whatever the protocol and
// however many are outstanding; cancelled sends that are never received do not affect the others.

#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

void token_to(int rank) { MPI_Send(nullptr, 0, MPI_INT, rank, 99, MPI_COMM_WORLD); }

void token_from(int rank) {
  MPI_Recv(nullptr, 0, MPI_INT, rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Numbers so far apart that the message is cut into many short fragments.
class Sparse {
 public:
  Sparse() : memory_(std::size_t{kNumbers} * kStride) {
    MPI_Type_vector(kNumbers, 1, kStride, MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Sparse() { MPI_Type_free(&type_); }

  void fill(int seed) {
    for (int i = 0; i < kNumbers; ++i) memory_[std::size_t(i) * kStride] = seed + i;
  }
  bool is_filled(int seed) const {
    for (int i = 0; i < kNumbers; ++i) {
      if (memory_[std::size_t(i) * kStride] != seed + i) return false;
    }
    return true;
  }
  double* data() { return memory_.data(); }
  MPI_Datatype type() const { return type_; }

 private:
  static constexpr int kNumbers = 1024;
  static constexpr int kStride = 200;  // doubles

  std::vector<double> memory_;
  MPI_Datatype type_;
};

// The ring has space for only some fragments of rank 0's message; the others follow later. Its
// receive is posted much later.
void cut_off(int before) {
  check::set_case("a synchronous send of short fragments behind %d messages", before);
  if (check::rank > 1 || check::size < 2) return check::passed();
  Sparse message, next;
  std::vector<MPI_Request> small(before);
  if (check::rank == 0) {
    message.fill(1);
    next.fill(2);
    for (auto& request : small) MPI_Isend(&before, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Request request, other;
    MPI_Issend(message.data(), 1, message.type(), 1, 2, MPI_COMM_WORLD, &request);
    MPI_Issend(next.data(), 1, next.type(), 1, 3, MPI_COMM_WORLD, &other);
    token_to(1);  // behind the fragments: rank 1 sees it when all have arrived
    token_from(1);
    int flag = -1;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
    MPI_Test(&other, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
    token_to(1);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
    token_to(1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Waitall(before, small.data(), MPI_STATUSES_IGNORE);
  } else {
    token_from(0);
    token_to(0);
    token_from(0);
    MPI_Recv(next.data(), 1, next.type(), 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(next.is_filled(2));
    token_from(0);
    MPI_Recv(message.data(), 1, message.type(), 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(message.is_filled(1));
    for (int i = 0; i < before; ++i) {
      int value = 0;
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_EQ(value, before);
    }
  }
}

// As above, but cancelled before the remaining fragments could follow: the wait returns although
// no receive is posted before it has (MPI 5.0, 3.8.4).
void cancelled_in_the_middle(int before) {
  check::set_case("a synchronous send behind %d messages, cancelled at once", before);
  if (!check::on_atoll() || check::rank > 1 || check::size < 2) return check::passed();
  constexpr int kVerdict = 4;
  Sparse message;
  std::vector<MPI_Request> small(before);
  int cancelled = -1;
  if (check::rank == 0) {
    message.fill(3);
    for (auto& request : small) MPI_Isend(&before, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Request request;
    MPI_Issend(message.data(), 1, message.type(), 1, 2, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);
    MPI_Send(&cancelled, 1, MPI_INT, 1, kVerdict, MPI_COMM_WORLD);
    MPI_Waitall(before, small.data(), MPI_STATUSES_IGNORE);
  } else {
    MPI_Recv(&cancelled, 1, MPI_INT, 0, kVerdict, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int flag = -1;
    MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
    for (int i = 0; i < before; ++i) {
      int value = 0;
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_EQ(value, before);
    }
  }
}

constexpr int kTag = 1000;  // and above

// A standard send to the same rank is delivered behind them.
void many(int count, bool backwards) {
  check::set_case("%d synchronous sends, received %s", count, backwards ? "backwards" : "in order");
  std::vector<int> values(count);
  std::vector<MPI_Request> requests(count);
  for (int i = 0; i < count; ++i) {
    values[i] = i;
    MPI_Issend(&values[i], 1, MPI_INT, right(), backwards ? kTag + i : kTag, MPI_COMM_WORLD,
               &requests[i]);
  }
  if (check::size > 1) {
    if (check::rank % 2 == 0) token_to(right());
    token_from(left());
    if (check::rank % 2 != 0) token_to(right());
  }
  for (int i = 0; i < count; ++i) {
    const int expected = backwards ? count - 1 - i : i;
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, left(), backwards ? kTag + expected : kTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    CHECK_EQ(value, expected);
  }
  MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
}

// A send that is cancelled and never received, followed by many others.
void cancelled_first(int count) {
  if (!check::on_atoll() || check::size < 2) return;
  check::set_case("%d synchronous sends behind a cancelled one", count);
  int value = 7;
  MPI_Request request;
  MPI_Issend(&value, 1, MPI_INT, right(), 5, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int flag = 0;
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 1);
  for (int i = 0; i < count; ++i) {
    int got = -1;
    MPI_Request next;
    MPI_Issend(&i, 1, MPI_INT, right(), 6, MPI_COMM_WORLD, &next);
    MPI_Recv(&got, 1, MPI_INT, left(), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&next, MPI_STATUS_IGNORE);
    CHECK_EQ(got, i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  for (int before : {0, 90, 100, 110, 120, 127, 128}) {
    cut_off(before);
    MPI_Barrier(MPI_COMM_WORLD);
    cancelled_in_the_middle(before);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  cancelled_first(100);
  for (bool backwards : {false, true}) many(count, backwards);
  return check::finish();
}
