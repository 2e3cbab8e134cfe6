// MPI_Intercomm_create of groups that have a member in common, which is in both
// calls with a thread each: all get an error that names the rank, and the next
// construction works.
#include <string>
#include <thread>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

MPI_Comm of_two(int first) {
  MPI_Group group = comms::group_of({first, first + 1});
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create(MPI_COMM_WORLD, group, &made);
  MPI_Group_free(&group);
  return made;
}

// Called by whoever is in `side`; the leaders are ranks 0 and 2 of the world.
void expect_refused(MPI_Comm side, int local_leader, int remote_leader) {
  if (side == MPI_COMM_NULL) return;
  MPI_Comm made = MPI_COMM_WORLD;
  const int code =
      MPI_Intercomm_create(side, local_leader, MPI_COMM_WORLD, remote_leader, 5, &made);
  CHECK_EQ(check::error_class(code), MPI_ERR_COMM);
  CHECK(made == MPI_COMM_WORLD);
  const std::string text = check::error_text(code);
  if (text.find("overlap: rank 1 ") == text.npos && text.find("overlap: rank 0 ") == text.npos) {
    check::fail(__FILE__, __LINE__, text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  check::set_rank_and_size();
  check::return_errors();
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  if (check::size >= 3 && check::on_atoll()) {  // others may wait for ever
    MPI_Comm low = of_two(0), high = of_two(1), half, inter;
    for (int round = 0; round < 20; ++round) {
      check::set_case("round %d", round);
      std::thread other([&] { expect_refused(high, 1, 0); });
      expect_refused(low, 0, 2);
      other.join();
    }
    check::set_case("afterwards");
    MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, check::rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check::rank % 2, 5, &inter);
    comms::check_exchange(inter, 1);
    for (MPI_Comm* comm : {&low, &high, &half, &inter}) {
      if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
    }
  }
  return check::finish();
}
