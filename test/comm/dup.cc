// MPI_Comm_dup and MPI_Comm_free: contexts of their own, many at once, many
// one after another, and freed while messages are still under way.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

void check_usable(MPI_Comm comm, int value) {
  int in = -1, rank = -1, size = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK_EQ(rank, check::rank);
  CHECK_EQ(size, check::size);
  MPI_Sendrecv(&value, 1, MPI_INT, right(), 1, &in, 1, MPI_INT, left(), MPI_ANY_TAG, comm,
               MPI_STATUS_IGNORE);
  CHECK_EQ(in, value);
}

// What is sent in one communicator is invisible in all others, even to wildcards.
void separation() {
  check::set_case("separate contexts");
  constexpr int kComms = 8;
  std::vector<MPI_Comm> comms(kComms);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<MPI_Request> sends(kComms);
  std::vector<int> values(kComms);
  for (int i = 0; i < kComms; ++i) {
    values[i] = i;
    MPI_Isend(&values[i], 1, MPI_INT, right(), 5, comms[i], &sends[i]);
  }
  for (int i : {3, 0, 7, 5, 1, 6, 2, 4}) {
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
    CHECK_EQ(in, i);
  }
  MPI_Waitall(kComms, sends.data(), MPI_STATUSES_IGNORE);
  for (MPI_Comm& comm : comms) {
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
  }
}

// Made and freed again and again: ids and memory come back.
void one_after_another() {
  const int rounds = check::size <= 4 ? 3000 : check::size <= 8 ? 500 : 50;
  for (int i = 0; i < rounds; ++i) {
    check::set_case("dup number %d", i);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(i % 3 ? MPI_COMM_WORLD : MPI_COMM_SELF, &comm);
    CHECK(comm != MPI_COMM_NULL);
    if (i % 3 && i % 50 == 1) check_usable(comm, i);
    MPI_Comm_free(&comm);
  }
}

// A dup of a dup of a dup ...; each freed before its child is used.
void chain() {
  MPI_Comm comm = MPI_COMM_WORLD;
  for (int i = 0; i < 50; ++i) {
    check::set_case("link %d of a chain of dups", i);
    MPI_Comm next;
    MPI_Comm_dup(comm, &next);
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
    comm = next;
    check_usable(comm, i);
  }
  MPI_Comm_free(&comm);
}

void many_alive() {
  const int count = check::size <= 4 ? 1000 : check::size <= 8 ? 300 : 100;
  std::vector<MPI_Comm> comms(count);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = count - 1; i >= 0; i -= 37) {
    check::set_case("communicator %d of %d alive", i, count);
    check_usable(comms[i], i);
  }
  // Freed in another order than made, and replaced by new ones.
  for (int i = 0; i < count; i += 2) MPI_Comm_free(&comms[i]);
  for (int i = 0; i < count; i += 2) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < count; i += 41) check_usable(comms[i], i);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// 7.4.3: freeing only marks; what is pending is completed normally, and a new
// communicator does not get into its way.
void free_with_pending(int bytes) {
  check::set_case("freed with messages of %d bytes pending", bytes);
  MPI_Comm comm, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<char> out(bytes), in(bytes), unrelated(1, 'u');
  check::fill(out.data(), bytes, check::rank);
  MPI_Request requests[2];
  MPI_Irecv(in.data(), bytes, MPI_BYTE, left(), 1, comm, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  char got = 0;
  MPI_Sendrecv(unrelated.data(), 1, MPI_CHAR, right(), 1, &got, 1, MPI_CHAR, left(), 1, other,
               MPI_STATUS_IGNORE);
  CHECK_EQ(got, 'u');
  MPI_Cancel(&requests[0]);
  MPI_Status status;
  MPI_Wait(&requests[0], &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 1);
  MPI_Comm_free(&other);

  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(in.data(), bytes, MPI_BYTE, left(), 2, comm, &requests[0]);
  MPI_Isend(out.data(), bytes, MPI_BYTE, right(), 2, comm, &requests[1]);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_PATTERN(in.data(), bytes, left());
  MPI_Comm_free(&other);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  separation();
  one_after_another();
  chain();
  many_alive();
  for (int bytes : {4, 1000, 300000}) free_with_pending(bytes);
  return check::finish();
}
