// Sessions before, during and after the world model (MPI 5.0, 11.2 and 11.3).
#include <string>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 40

namespace {

void expect_phase(bool initialized, bool finalized) {
  int flag = -1;
  MPI_Initialized(&flag);
  CHECK_EQ(flag != 0, initialized);
  MPI_Finalized(&flag);
  CHECK_EQ(flag != 0, finalized);
}

void check_session(MPI_Session session, const char* tag, int value) {
  MPI_Comm comm = sessions::comm(session, "mpi://WORLD", tag);
  sessions::check_works(comm, value);
  MPI_Comm_disconnect(&comm);
}

// Traffic of one model never meets that of the other.
void side_by_side(MPI_Comm of_session) {
  check::set_case("side by side");
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  int out[2] = {1, 2}, in[2] = {0, 0};
  MPI_Request requests[2];
  MPI_Isend(&out[0], 1, MPI_INT, right, 9, of_session, &requests[0]);
  MPI_Isend(&out[1], 1, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&in[0], 1, MPI_INT, left, 9, of_session, MPI_STATUS_IGNORE);
  CHECK_EQ(in[0], 1);
  CHECK_EQ(in[1], 2);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Group world_group, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world_group);
  MPI_Comm_group(of_session, &group);
  int size = -1;
  MPI_Group_size(group, &size);
  CHECK_EQ(size, check::size);
  MPI_Group_free(&group);
  MPI_Group_free(&world_group);
}

}  // namespace

int main(int argc, char** argv) {
  check::set_case("a session before MPI_Init");
  MPI_Session before = sessions::open("MPI_THREAD_SINGLE");
  MPI_Comm world = sessions::comm(before, "mpi://WORLD", "org.example.before");
  sessions::set_rank_and_size(world);
  expect_phase(false, false);

  check::set_case("MPI_Init");
  MPI_Init(&argc, &argv);
  expect_phase(true, false);
  int rank = -1, size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK_EQ(rank, check::rank);
  CHECK_EQ(size, check::size);
  side_by_side(world);
  MPI_Comm_disconnect(&world);
  sessions::close(before);

  check::set_case("sessions between MPI_Init and MPI_Finalize");
  MPI_Session during = sessions::open();
  for (int i = 0; i < 8; ++i) {
    MPI_Session shortly = sessions::open();
    check_session(shortly, "org.example.shortly", i);
    MPI_Barrier(MPI_COMM_WORLD);
    sessions::close(shortly);
  }
  world = sessions::comm(during, "mpi://WORLD", "org.example.during");
  MPI_Finalize();

  check::set_case("a session beyond MPI_Finalize");
  expect_phase(true, true);
  sessions::check_works(world, 7);
  MPI_Comm_disconnect(&world);
  sessions::close(during);

  check::set_case("a session after MPI_Finalize");
  MPI_Session after = sessions::open();
  check_session(after, "org.example.after", 8);
  sessions::close(after);
  return sessions::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
