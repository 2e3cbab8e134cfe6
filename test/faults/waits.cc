// Every rank waits for ever in a call of its own, the last one outside MPI, so that it can be seen
// from outside what each waits for.
//
//   waits last      all wait for the last rank of the job, which may be another program
//   waits session   all wait for the last rank, which has finalized its session
#include <mpi.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace {

void wait_for_the_last(MPI_Comm comm) {
  int size = 0, value = 0;
  MPI_Comm_size(comm, &size);
  MPI_Recv(&value, 1, MPI_INT, size - 1, 7, comm, MPI_STATUS_IGNORE);
}

void wait_in_a_session() {
  int rank = 0, size = 0;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "waits", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_set_name(comm, "all");
  MPI_Group_free(&group);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != size - 1) wait_for_the_last(comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "session") == 0) wait_in_a_session();
  MPI_Init(&argc, &argv);
  if (argc > 1) wait_for_the_last(MPI_COMM_WORLD);
  int rank = 0, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halo;
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  MPI_Comm_set_name(halo, "halo");
  std::vector<char> large((1 << 20) + 1);  // never eager
  MPI_Request requests[3];
  switch (rank) {
    case 0: MPI_Recv(&value, 1, MPI_INT, 1, 7, halo, MPI_STATUS_IGNORE); break;
    case 1:
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case 2: MPI_Ssend(&value, 1, MPI_INT, 3, 8, halo); break;
    case 3: MPI_Probe(0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); break;
    case 4: MPI_Send(large.data(), int(large.size()), MPI_CHAR, 5, 10, MPI_COMM_WORLD); break;
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
