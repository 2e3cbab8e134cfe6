// Every rank waits for ever in a call of its own, the last one outside MPI, so that it can be seen
// from outside what each waits for.
#include <mpi.h>
#include <unistd.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halo;
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  MPI_Comm_set_name(halo, "halo");
  std::vector<char> large(1 << 20);
  MPI_Request requests[3];
  switch (rank) {
    case 0: MPI_Recv(&value, 1, MPI_INT, 1, 7, halo, MPI_STATUS_IGNORE); break;
    case 1:
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case 2: MPI_Ssend(&value, 1, MPI_INT, 3, 8, halo); break;
    case 3: MPI_Probe(0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); break;
    case 4: MPI_Send(large.data(), 1 << 20, MPI_CHAR, 5, 10, MPI_COMM_WORLD); break;
    case 5:
      for (MPI_Request& request : requests) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, &request);
      }
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
      break;
    case 6: MPI_Barrier(halo); break;
    default: pause();  // or else it would be a deadlock
  }
}
