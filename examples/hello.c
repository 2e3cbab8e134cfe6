// Every rank says who it is. Build and run:
//
//   mpicc -o hello hello.c
//   mpiexec -n 4 ./hello
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);

  int rank;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  char node[MPI_MAX_PROCESSOR_NAME];
  int length;
  MPI_Get_processor_name(node, &length);

  printf("Hello from rank %d of %d on %s\n", rank, size, node);
  MPI_Finalize();
  return 0;
}
