// MPI_Sendrecv, MPI_Sendrecv_replace and their nonblocking forms: rings,
// exchanges, different partners, sizes and types in the two directions.
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using check::Buffer;

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

void check_status(const MPI_Status& status, int source, int tag, int bytes) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, bytes);
  CHECK_EQ(status.MPI_SOURCE, source);
  CHECK_EQ(status.MPI_TAG, tag);
}

// All ranks send to the right at the same time: no order of calls can be wrong.
void ring_shift(int bytes) {
  check::set_case("ring shift, %d bytes", bytes);
  Buffer out(bytes), in(bytes + 9);
  check::fill(out.data(), bytes, check::rank);
  MPI_Status status;
  MPI_Sendrecv(out.data(), bytes, MPI_BYTE, right(), 1, in.data(), bytes + 9, MPI_BYTE, left(), 1,
               MPI_COMM_WORLD, &status);
  check_status(status, left(), 1, bytes);
  CHECK_PATTERN(in.data(), bytes, left());
  CHECK(in.guards_intact(bytes));
  CHECK_PATTERN(out.data(), bytes, check::rank);
}

// A value replaced along the ring returns after as many steps as there are ranks.
void ring_replace(int bytes) {
  check::set_case("ring replace, %d bytes", bytes);
  Buffer data(bytes);
  check::fill(data.data(), bytes, check::rank);
  for (int step = 1; step <= check::size; ++step) {
    MPI_Status status;
    MPI_Sendrecv_replace(data.data(), bytes, MPI_BYTE, right(), step, left(), step, MPI_COMM_WORLD,
                         &status);
    check_status(status, left(), step, bytes);
    const int origin = (check::rank + check::size - step) % check::size;
    CHECK_PATTERN(data.data(), bytes, origin);
  }
  CHECK(data.guards_intact());
}

// The message sent and the message received differ in size, tag, type and partner.
void uneven() {
  check::set_case("different sizes, tags and types");
  const int n = 1000 + check::rank;
  const int from = (check::rank + 2 * check::size - 2) % check::size;
  std::vector<double> out(n, check::rank + 0.5);
  std::vector<double> in(2000, -1);
  MPI_Status status;
  MPI_Sendrecv(out.data(), n, MPI_DOUBLE, (check::rank + 2) % check::size, 2, in.data(), 2000,
               MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  int count = -1;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  CHECK_EQ(count, 1000 + from);
  CHECK_EQ(status.MPI_SOURCE, from);
  for (int i = 0; i < 2000; ++i) CHECK_EQ(in[i], i < count ? from + 0.5 : -1.0);
  MPI_Barrier(MPI_COMM_WORLD);
}

// MPI_Sendrecv matches plain sends and receives.
void with_plain_calls() {
  check::set_case("against plain calls");
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  int in = -1;
  if (check::rank & 1) {
    MPI_Recv(&in, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ssend(&check::rank, 1, MPI_INT, peer, 4, MPI_COMM_WORLD);
  } else {
    MPI_Sendrecv(&check::rank, 1, MPI_INT, peer, 3, &in, 1, MPI_INT, peer, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  CHECK_EQ(in, peer);
}

// Every rank exchanges with every rank, itself included.
void all_pairs() {
  check::set_case("all pairs");
  for (int step = 0; step < check::size; ++step) {
    const int dest = (check::rank + step) % check::size;
    const int source = (check::rank + check::size - step) % check::size;
    int in = -1;
    MPI_Sendrecv(&check::rank, 1, MPI_INT, dest, step, &in, 1, MPI_INT, source, step,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(in, source);
  }
}

#if MPI_LEVEL >= 40
void nonblocking(int bytes) {
  check::set_case("nonblocking, %d bytes", bytes);
  Buffer out(bytes), in(bytes), replaced(bytes);
  check::fill(out.data(), bytes, check::rank);
  check::fill(replaced.data(), bytes, check::rank + 100);
  MPI_Request requests[2];
  MPI_Isendrecv(out.data(), bytes, MPI_BYTE, right(), 5, in.data(), bytes, MPI_BYTE, left(), 5,
                MPI_COMM_WORLD, &requests[0]);
  MPI_Isendrecv_replace(replaced.data(), bytes, MPI_BYTE, left(), 6, right(), 6, MPI_COMM_WORLD,
                        &requests[1]);
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  check_status(statuses[0], left(), 5, bytes);
  check_status(statuses[1], right(), 6, bytes);
  CHECK_PATTERN(in.data(), bytes, left());
  CHECK_PATTERN(replaced.data(), bytes, right() + 100);
  CHECK(in.guards_intact() && replaced.guards_intact());
}
#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int bytes : check::interesting_sizes(check::largest_size(check::size))) {
    ring_shift(bytes);
    if (bytes <= 65536 || check::size <= 4) ring_replace(bytes);
#if MPI_LEVEL >= 40
    nonblocking(bytes);
#endif
  }
  uneven();
  with_plain_calls();
  all_pairs();
  // Measures oversubscribed runs: many small steps, each of which needs all ranks.
  for (int i = 0; i < 200; ++i) ring_shift(8);
  return check::finish();
}
