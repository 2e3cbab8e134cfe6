// Talks without end: messages of all sizes around a ring, collectives, new
// communicators. Made to be killed.
#include <unistd.h>

#include <vector>

#include "test/check.h"
#include "test/pattern.h"

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  std::vector<char> out(1 << 20), in(1 << 20);
  check::Random random(1);  // the same in all ranks
  for (;;) {
    const int bytes = int(random.size(out.size()));
    MPI_Request requests[2];
    MPI_Irecv(in.data(), bytes, MPI_BYTE, random.one_in(2) ? left : MPI_ANY_SOURCE, 1,
              MPI_COMM_WORLD, &requests[0]);
    const auto send = random.one_in(2) ? MPI_Isend : MPI_Issend;
    send(out.data(), bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (random.one_in(8)) MPI_Barrier(MPI_COMM_WORLD);
    if (random.one_in(8)) MPI_Bcast(out.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (random.one_in(8)) {
      MPI_Allreduce(out.data(), in.data(), bytes, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    }
    if (random.one_in(8)) {
      const int share = bytes / check::size;
      MPI_Ialltoall(out.data(), share, MPI_BYTE, in.data(), share, MPI_BYTE, MPI_COMM_WORLD,
                    &requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    if (random.one_in(16)) {
      MPI_Comm comm;
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Comm_free(&comm);
    }
  }
}
