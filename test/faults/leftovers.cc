// With an argument rank 0 leaves one of everything behind: see leftovers_test.py.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int value = rank;
  if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && argc > 1) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "forgotten");
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_set_name(type, "triple");
    MPI_Info info;
    MPI_Info_create(&info);
    static int in;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
    MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  } else if (rank == 0) {
    MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
