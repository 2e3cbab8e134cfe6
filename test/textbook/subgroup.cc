// "Practice #3" and "Example #4": a communicator of all but rank 0, which works
// without disturbing MPI_COMM_WORLD; and collective operations on a communicator
// that has point-to-point messages under way, received from anywhere.
// Corrected: commslave and the_comm are used and freed only where they are not
// MPI_COMM_NULL; where commslave has one member, that is the root; the members reduce
// and wait for their requests, nobody else; the ranks 2, 4, 6, 8 are taken as far as
// there are.
#include <vector>

#include "test/check.h"

namespace {

constexpr int TAG_ARBITRARY = 12345;
constexpr int SOME_COUNT = 50;

void practice_3() {
  check::set_case("all but rank 0");
  int me;
  MPI_Group MPI_GROUP_WORLD, grprem;
  MPI_Comm commslave;
  const int ranks[] = {0};
  MPI_Comm_group(MPI_COMM_WORLD, &MPI_GROUP_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);                  // local
  MPI_Group_excl(MPI_GROUP_WORLD, 1, ranks, &grprem);  // local
  MPI_Comm_create(MPI_COMM_WORLD, grprem, &commslave);
  CHECK_EQ(commslave == MPI_COMM_NULL, me == 0);
  if (me != 0) {
    // compute on slave
    int slave_rank = -1;
    MPI_Comm_rank(commslave, &slave_rank);
    CHECK_EQ(slave_rank, me - 1);
    const int root = check::size > 2 ? 1 : 0;
    int total = -1;
    MPI_Reduce(&me, &total, 1, MPI_INT, MPI_SUM, root, commslave);
    CHECK_EQ(total, slave_rank == root ? check::size * (check::size - 1) / 2 : -1);
  }
  // zero falls through immediately to this, others do later
  const int one = 1;
  int total = -1;
  MPI_Reduce(&one, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  CHECK_EQ(total, me == 0 ? check::size : -1);
  if (commslave != MPI_COMM_NULL) MPI_Comm_free(&commslave);
  MPI_Group_free(&MPI_GROUP_WORLD);
  MPI_Group_free(&grprem);
}

void example_4() {
  check::set_case("collective and point-to-point in one communicator");
  int me;
  MPI_Request request[2];
  MPI_Status status[2];
  MPI_Group MPI_GROUP_WORLD, subgroup;
  std::vector<int> ranks;
  for (int rank : {2, 4, 6, 8}) {
    if (rank < check::size) ranks.push_back(rank);
  }
  const int count = int(ranks.size());
  MPI_Comm the_comm;
  MPI_Comm_group(MPI_COMM_WORLD, &MPI_GROUP_WORLD);
  MPI_Group_incl(MPI_GROUP_WORLD, count, ranks.data(), &subgroup);  // local
  MPI_Group_rank(subgroup, &me);                                    // local
  MPI_Comm_create(MPI_COMM_WORLD, subgroup, &the_comm);
  CHECK_EQ(the_comm == MPI_COMM_NULL, me == MPI_UNDEFINED);
  if (me != MPI_UNDEFINED) {
    double buff1 = -1, buff2 = me;
    MPI_Irecv(&buff1, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_ARBITRARY, the_comm, &request[0]);
    MPI_Isend(&buff2, 1, MPI_DOUBLE, (me + 1) % count, TAG_ARBITRARY, the_comm, &request[1]);
    for (int i = 0; i < SOME_COUNT; i++) {
      const int mine = me + i;
      int total = -1;
      MPI_Reduce(&mine, &total, 1, MPI_INT, MPI_SUM, i % count, the_comm);
      CHECK_EQ(total, me == i % count ? count * i + count * (count - 1) / 2 : -1);
    }
    MPI_Waitall(2, request, status);
    CHECK_EQ(buff1, double((me + count - 1) % count));
    CHECK_EQ(status[0].MPI_SOURCE, (me + count - 1) % count);
    MPI_Comm_free(&the_comm);
  }
  MPI_Group_free(&MPI_GROUP_WORLD);
  MPI_Group_free(&subgroup);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  practice_3();
  example_4();
  return check::finish();
}
