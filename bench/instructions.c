/* What instructions.py counts: `batches` times kMessages of 8 bytes, sent by
 * rank 0 while rank 1 stays outside MPI, and received when all are there. So
 * neither call ever waits, and every call costs the same.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { kMessages = 32 };

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long batches = argc == 2 ? strtol(argv[1], NULL, 10) : 1;
  for (long b = 0; b < batches; ++b) {
    double data = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
      const struct timespec sends = {0, 50000000}; /* longer than they take under valgrind */
      nanosleep(&sends, NULL);
    }
    for (int i = 0; i < kMessages; ++i) {
      if (rank == 0) MPI_Send(&data, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) MPI_Recv(&data, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
