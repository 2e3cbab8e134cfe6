// MPI_Barrier lets nobody out before everybody is in, and MPI_Bcast brings the
// root's data to all, beside other traffic and in several communicators.
#include <time.h>

#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// One clock for the whole node, in nanoseconds.
long long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

struct Visit {
  long long entered;
  long long left;
};

// The last to enter does so before the first one leaves.
void barrier(MPI_Comm comm, int late) {
  check::set_case("barrier, rank %d late", late);
  if (check::rank == late) {
    const long long until = now() + 300000;
    while (now() < until) {
    }
  }
  Visit mine{now(), 0};
  MPI_Barrier(comm);
  mine.left = now();
  if (check::rank > 0) {
    MPI_Send(&mine, 2, MPI_LONG_LONG, 0, 1, MPI_COMM_WORLD);
    return;
  }
  long long last_in = mine.entered, first_out = mine.left;
  for (int source = 1; source < check::size; ++source) {
    Visit visit;
    MPI_Recv(&visit, 2, MPI_LONG_LONG, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    last_in = std::max(last_in, visit.entered);
    first_out = std::min(first_out, visit.left);
  }
  CHECK(last_in <= first_out);
}

void broadcast(MPI_Comm comm, int root, int bytes) {
  check::set_case("broadcast of %d bytes from %d", bytes, root);
  check::Buffer data(bytes);
  if (check::rank == root) check::fill(data.data(), bytes, root);
  MPI_Bcast(data.data(), bytes, MPI_BYTE, root, comm);
  CHECK_PATTERN(data.data(), bytes, root);
  CHECK(data.guards_intact());
}

void types() {
  check::set_case("broadcast of a type with gaps");
  struct {
    short value;
    int index;
  } items[3] = {{1, 2}, {3, 4}, {5, 6}};
  const int root = check::size - 1;
  if (check::rank != root) std::memset(items, 0x5a, sizeof items);
  MPI_Bcast(items, 3, MPI_SHORT_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(items[i].value, 2 * i + 1);
    CHECK_EQ(items[i].index, 2 * i + 2);
    unsigned char gap[2];
    std::memcpy(gap, reinterpret_cast<char*>(&items[i]) + sizeof(short), sizeof gap);
    if (check::rank != root) CHECK(gap[0] == 0x5a && gap[1] == 0x5a);
  }
  double value = check::rank == 0 ? 2.5 : 0;
  MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  CHECK_EQ(value, 2.5);
}

// Messages posted before and completed after are not disturbed, nor do they disturb.
void beside_messages() {
  check::set_case("collectives beside messages");
  int in = -1, value = check::rank == 0 ? 99 : 0;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Isend(&check::rank, 1, MPI_INT, right(), 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(value, 99);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(in, left());
  MPI_Barrier(MPI_COMM_WORLD);  // the next wildcard is posted after this one is done
}

// Roots run ahead: many broadcasts in a row do not mix.
void in_a_row() {
  check::set_case("broadcasts in a row");
  const int count = check::size <= 8 ? 300 : 60;
  for (int i = 0; i < count; ++i) {
    int value = check::rank == i % check::size ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, i % check::size, MPI_COMM_WORLD);
    CHECK_EQ(value, i);
  }
  for (int i = 0; i < count; ++i) {
    int value = check::rank == 0 ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQ(value, i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int late = 0; late < std::min(check::size, 8); ++late) {
    barrier(MPI_COMM_WORLD, late);
    barrier(other, check::size - 1 - late);
  }
  for (int i = 0; i < (check::size <= 8 ? 1000 : 100); ++i)
    MPI_Barrier(i % 2 ? other : MPI_COMM_WORLD);
  const int most = check::size <= 4 ? 8 << 20 : check::size <= 8 ? 1 << 20 : 65536;
  for (int bytes : check::interesting_sizes(most)) {
    broadcast(MPI_COMM_WORLD, bytes % check::size, bytes);
    broadcast(other, (bytes + 1) % check::size, bytes);
  }
  for (int root = 0; root < check::size; ++root) broadcast(MPI_COMM_WORLD, root, 100);
  int alone = 5;
  MPI_Bcast(&alone, 1, MPI_INT, 0, MPI_COMM_SELF);
  MPI_Barrier(MPI_COMM_SELF);
  CHECK_EQ(alone, 5);
  types();
  for (int i = 0; i < 20; ++i) beside_messages();
  in_a_row();
  MPI_Comm_free(&other);
  return check::finish();
}
