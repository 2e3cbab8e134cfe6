// A number goes once around all ranks, and each adds its own.
//
//   mpiexec -n 4 ./ring
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);

  int rank;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;

  // Rank 0 starts the round; a ring of one sends to itself, so it must not wait there.
  int sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(&sum, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  if (rank != 0) {
    sum += rank;
    MPI_Send(&sum, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
  }

  const int expected = size * (size - 1) / 2;
  if (rank == 0) printf("The sum of all ranks is %d, and should be %d\n", sum, expected);
  const int wrong = rank == 0 && sum != expected;
  MPI_Finalize();
  return wrong;
}
