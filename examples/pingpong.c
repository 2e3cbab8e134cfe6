// Latency and bandwidth between ranks 0 and 1; all others sleep meanwhile.
//
//   mpiexec -n 2 ./pingpong
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLargest = 4 << 20, kBatches = 20 };

// Sends `bytes` bytes to `partner` and back, `rounds` times. Returns seconds for one way.
static double measure(char* buffer, int bytes, int partner, int starts, int rounds) {
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    if (starts) MPI_Send(buffer, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!starts) MPI_Send(buffer, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / rounds / 2;
}

// The best of some batches: what is slower was disturbed by something else.
static double best(char* buffer, int bytes, int partner, int starts) {
  const int rounds = 20 + 2000000 / (bytes + 1000);
  double shortest = 1e9;
  for (int batch = 0; batch < kBatches; ++batch) {
    const double time = measure(buffer, bytes, partner, starts, rounds);
    if (time < shortest) shortest = time;
  }
  return shortest;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);

  int rank;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "pingpong: start it on two ranks: mpiexec -n 2 ./pingpong\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  if (rank < 2) {
    char* buffer = calloc(kLargest, 1);
    if (rank == 0) printf("%10s %12s %10s\n", "bytes", "one way, us", "GB/s");
    for (int bytes = 0; bytes <= kLargest; bytes = bytes == 0 ? 8 : bytes * 8) {
      const double seconds = best(buffer, bytes, 1 - rank, rank == 0);
      if (rank == 0) printf("%10d %12.2f %10.2f\n", bytes, seconds * 1e6, bytes / seconds / 1e9);
    }
    free(buffer);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
