/* What instructions.py counts: messages of 8 bytes from rank 0 to rank 1, whose
 * calls never wait, so that each costs the same every time.
 *
 *   instructions blocking BATCHES     MPI_Send; MPI_Recv when the messages are there
 *   instructions window BATCHES       MPI_Irecv; MPI_Isend when all are posted;
 *                                     MPI_Waitall when the messages are there
 *
 * To let the other go first a rank sleeps, outside MPI, for longer than it takes
 * even under valgrind.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMessages = 32 };

static void let_the_other(void) {
  const struct timespec pause = {0, 50000000};
  nanosleep(&pause, NULL);
}

static void blocking(int rank) {
  double data = 0;
  if (rank == 1) let_the_other();
  for (int i = 0; i < kMessages; ++i) {
    if (rank == 0) MPI_Send(&data, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&data, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void window(int rank) {
  double data[kMessages] = {0};
  MPI_Request requests[kMessages];
  if (rank == 0) let_the_other();
  for (int i = 0; i < kMessages; ++i) {
    if (rank == 0) MPI_Isend(&data[i], 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
    if (rank == 1) MPI_Irecv(&data[i], 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank == 1) {
    let_the_other();
    let_the_other();
  }
  MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int windows = argc == 3 && strcmp(argv[1], "window") == 0;
  const long batches = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  for (long b = 0; b < batches; ++b) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (windows) {
      window(rank);
    } else {
      blocking(rank);
    }
  }
  MPI_Finalize();
  return 0;
}
