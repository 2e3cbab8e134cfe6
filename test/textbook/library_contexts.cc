// "Library Example #2": a library that receives from anywhere is called on two
// communicators that have a member in common. Variant A is safe because messages of
// one sender keep their order; B, with two senders, mixes the messages of two
// calls; C separates the calls with a barrier.
// Corrected: the ranks in comm_a and comm_b are asked each for its own
// communicator; the groups consist of the ranks that there are.
#include <vector>

#include "test/check.h"

namespace {

constexpr int ARBITRARY_TAG = 7;

struct Seen {
  int messages = 0;
  bool of_this_call = true;
};

Seen lib_call(MPI_Comm comm, int call, bool barrier) {
  Seen seen;
  int me, size;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  if (me == 0) {
    while (seen.messages < size - 1) {
      int from_call = -1;
      MPI_Recv(&from_call, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
      seen.of_this_call = seen.of_this_call && from_call == call;
      ++seen.messages;
    }
  } else {
    MPI_Send(&call, 1, MPI_INT, 0, ARBITRARY_TAG, comm);  // work
  }
  if (barrier) MPI_Barrier(comm);
  return seen;
}

MPI_Comm create(std::vector<int> list, MPI_Group world) {
  std::erase_if(list, [](int rank) { return rank >= check::size; });
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_incl(world, int(list.size()), list.data(), &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
  MPI_Group_free(&group);
  return comm;
}

void example(const char* name, const std::vector<int>& list_b, bool barrier, bool mixes) {
  check::set_case("%s", name);
  MPI_Group MPI_GROUP_WORLD;
  MPI_Comm_group(MPI_COMM_WORLD, &MPI_GROUP_WORLD);
  MPI_Comm comm_a = create({0, 1}, MPI_GROUP_WORLD);
  MPI_Comm comm_b = create(list_b, MPI_GROUP_WORLD);
  MPI_Group_free(&MPI_GROUP_WORLD);
  int ma = -1, mb = -1;
  if (comm_a != MPI_COMM_NULL) MPI_Comm_rank(comm_a, &ma);
  if (comm_b != MPI_COMM_NULL) MPI_Comm_rank(comm_b, &mb);
  CHECK_EQ(ma == 0, check::rank == 0);
  CHECK_EQ(mb == 0, check::rank == 0);
  if (comm_a != MPI_COMM_NULL) CHECK(lib_call(comm_a, 0, barrier).of_this_call);
  if (comm_b != MPI_COMM_NULL) {
    const Seen first = lib_call(comm_b, 1, barrier);
    const Seen second = lib_call(comm_b, 2, barrier);
    if (!mixes) CHECK(first.of_this_call && second.of_this_call);
    int size = 0;
    MPI_Comm_size(comm_b, &size);
    CHECK_EQ(first.messages + second.messages, mb == 0 ? 2 * (size - 1) : 0);
  }
  if (comm_a != MPI_COMM_NULL) MPI_Comm_free(&comm_a);
  if (comm_b != MPI_COMM_NULL) MPI_Comm_free(&comm_b);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int i = 0; i < 20; ++i) {
    example("example 2A", {0, 2}, false, false);
    example("example 2B", {0, 2, 3}, false, true);
    example("example 2C", {0, 2, 3}, true, false);
  }
  return check::finish();
}
