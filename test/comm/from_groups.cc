// MPI_Comm_create_from_group and MPI_Intercomm_create_from_groups: communicators
// without a parent.
#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

#if MPI_LEVEL >= 40

namespace {

using comms::Ranks;

Ranks of_class(int count, int remainder) {
  Ranks ranks;
  for (int rank = check::size - 1; rank >= 0; --rank) {
    if (rank % count == remainder) ranks.push_back(rank);
  }
  return ranks;
}

MPI_Comm create(const Ranks& ranks, const std::string& tag) {
  MPI_Group group = comms::group_of(ranks);
  MPI_Comm made = MPI_COMM_NULL;
  CHECK_EQ(MPI_Comm_create_from_group(group, tag.c_str(), MPI_INFO_NULL, MPI_ERRORS_RETURN, &made),
           MPI_SUCCESS);
  MPI_Group_free(&group);
  return made;
}

void disjoint_groups() {
  for (int parts = 1; parts <= 3; ++parts) {
    check::set_case("%d disjoint groups", parts);
    const Ranks ranks = of_class(parts, check::rank % parts);
    MPI_Comm made = create(ranks, "org.example.parts");
    comms::check_comm(made, ranks, parts);
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(made, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    MPI_Comm_free(&made);
  }
}

// Constructions of one group are told apart by their tags.
void several_tags() {
  check::set_case("several tags");
  const Ranks all = of_class(1, 0);
  MPI_Comm first = create(all, "first"), second = create(all, "second"),
           again = create(all, "first");
  MPI_Request request;
  const int to = (check::rank + 1) % check::size;
  int out = 1, in = 0;
  MPI_Isend(&out, 1, MPI_INT, all.size() - 1 - to, 0, second, &request);
  comms::check_exchange(first, 1);
  comms::check_exchange(again, 2);
  MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, second, MPI_STATUS_IGNORE);
  CHECK_EQ(in, 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (MPI_Comm* comm : {&first, &second, &again}) MPI_Comm_free(comm);
}

void between_groups() {
  if (check::size < 2) return;
  check::set_case("between two groups");
  const Ranks own = of_class(2, check::rank % 2), remote = of_class(2, 1 - check::rank % 2);
  MPI_Group local_group = comms::group_of(own), remote_group = comms::group_of(remote);
  MPI_Comm made = MPI_COMM_NULL;
  for (int i = 0; i < 3; ++i) {
    const int own_leader = i == 0 ? 0 : int(own.size()) - 1;
    const int remote_leader = i == 0 ? 0 : int(remote.size()) - 1;
    CHECK_EQ(MPI_Intercomm_create_from_groups(local_group, own_leader, remote_group, remote_leader,
                                              "org.example.bridge", MPI_INFO_NULL,
                                              MPI_ERRORS_ARE_FATAL, &made),
             MPI_SUCCESS);
    comms::check_inter(made, own, remote, i);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&local_group);
  MPI_Group_free(&remote_group);
}

void empty_group() {
  check::set_case("MPI_GROUP_EMPTY");
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  CHECK(made == MPI_COMM_NULL);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  disjoint_groups();
  several_tags();
  between_groups();
  empty_group();
  return check::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
