// "Practice #1a, #1b, #2": who am I, neighbours, a broadcast of what rank 0 read.
// Corrected: an even rank sends if it is not the last, which the texts write as
// "(me + 1) ! size"; MPI_Recv has a status.
#include <cstdio>
#include <vector>

#include "test/check.h"

namespace {

constexpr int SOME_TAG = 0;

void example_1a() {
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char line[64];
  std::snprintf(line, sizeof line, "Process %d size %d", me, size);
  CHECK_EQ(std::string(line),
           "Process " + std::to_string(check::rank) + " size " + std::to_string(check::size));
  CHECK(me >= 0 && me < size);
}

void example_1b() {
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);    // local
  MPI_Comm_size(MPI_COMM_WORLD, &size);  // local
  int data = me % 2 == 0 ? me : -1;
  if (me % 2 == 0) {
    // send unless highest-numbered process
    if (me + 1 != size) MPI_Send(&data, 1, MPI_INT, me + 1, SOME_TAG, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&data, 1, MPI_INT, me - 1, SOME_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  CHECK_EQ(data, me - me % 2);
}

void example_2() {
  int me;
  constexpr int count = 1000;
  std::vector<char> data(count);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {
    // get input, create buffer "data"
    for (int i = 0; i < count; ++i) data[i] = char(i % 100);
  }
  MPI_Bcast(data.data(), count, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < count; i += 111) CHECK_EQ(int(data[i]), i % 100);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  example_1a();
  example_1b();
  example_2();
  return check::finish();
}
