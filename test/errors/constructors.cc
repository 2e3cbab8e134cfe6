// Bad arguments to what makes communicators: nothing is half made, and the next
// call works.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

MPI_Group group_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &group);
  return group;
}

void bad_communicator(MPI_Comm comm) {
  MPI_Group group = group_of(MPI_COMM_SELF);
  Untouched<MPI_Comm> made;
  Untouched<MPI_Request> request;
  Untouched<MPI_Group> made_group;
  Untouched<int> number;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_create(comm, group, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_create_group(comm, group, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_idup(comm, &made, &request));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_split(comm, 0, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_test_inter(comm, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_remote_size(comm, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_remote_group(comm, &made_group));
  EXPECT_ERROR(MPI_ERR_COMM, "local_comm", "",
               MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 0, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "peer_comm", "",
               MPI_Intercomm_create(MPI_COMM_SELF, 0, comm, 0, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "intercomm", "", MPI_Intercomm_merge(comm, 0, &made));
  const MPI_Comm before = comm;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_disconnect(&comm));
  CHECK(comm == before);
  MPI_Group_free(&group);
}

// What is for inter-communicators alone, or for others alone.
void wrong_kind() {
  Untouched<int> number;
  Untouched<MPI_Group> group;
  Untouched<MPI_Comm> made;
  MPI_Comm world = MPI_COMM_WORLD;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_WORLD", MPI_Comm_remote_size(world, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_WORLD", MPI_Comm_remote_group(world, &group));
  EXPECT_ERROR(MPI_ERR_COMM, "intercomm", "MPI_COMM_WORLD", MPI_Intercomm_merge(world, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_WORLD", MPI_Comm_disconnect(&world));
  CHECK(world == MPI_COMM_WORLD);
}

void bad_groups() {
  Untouched<MPI_Comm> made;
  for (MPI_Group bad : {MPI_GROUP_NULL, errors::garbage<MPI_Group>()}) {
    if (bad != MPI_GROUP_NULL && !check::on_atoll()) continue;
    EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Comm_create(MPI_COMM_WORLD, bad, &made));
    EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Comm_create_group(MPI_COMM_WORLD, bad, 0, &made));
  }
  if (check::size == 1) return;
  // Rank 1 of the world is not in a communicator of others alone.
  MPI_Group world = group_of(MPI_COMM_WORLD), stranger;
  const int other = (check::rank + 1) % check::size;
  MPI_Group_incl(world, 1, &other, &stranger);
  EXPECT_ERROR(MPI_ERR_GROUP, "group", std::to_string(other),
               MPI_Comm_create(MPI_COMM_SELF, stranger, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", std::to_string(other),
               MPI_Comm_create_group(MPI_COMM_SELF, stranger, 0, &made));
  MPI_Group_free(&stranger);
  MPI_Group_free(&world);
}

// All that rank 0 names, and none of those that the others name: everybody hears of it.
void different_groups() {
  if (check::size < 2 || !check::on_atoll()) return;
  const int first_half = (check::size + 1) / 2;
  std::vector<int> ranks(first_half);
  for (int i = 0; i < first_half; ++i) ranks[i] = i;
  MPI_Group world = group_of(MPI_COMM_WORLD), group;
  if (check::rank == 0) {
    group = group_of(MPI_COMM_WORLD);
  } else {
    ranks.assign({0, check::rank});
    MPI_Group_incl(world, 2, ranks.data(), &group);
  }
  MPI_Comm made = MPI_COMM_WORLD;
  const int code = MPI_Comm_create(MPI_COMM_WORLD, group, &made);
  if (check::size == 2) {
    CHECK_EQ(code, MPI_SUCCESS);
    MPI_Comm_free(&made);
  } else {
    EXPECT_ERROR_OF("MPI_Comm_create", MPI_ERR_NOT_SAME, "group", "2", code);
    CHECK(made == MPI_COMM_WORLD);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&world);
}

void bad_colors_and_tags() {
  Untouched<MPI_Comm> made;
  for (int color : {-1, -77, -2147483647 - 1}) {
    EXPECT_ERROR(MPI_ERR_ARG, "color", std::to_string(color),
                 MPI_Comm_split(MPI_COMM_WORLD, color, 0, &made));
  }
  MPI_Group self = group_of(MPI_COMM_SELF);
  for (int tag : {-1, MPI_ANY_TAG, -2147483647 - 1}) {
    EXPECT_ERROR(MPI_ERR_TAG, "tag", std::to_string(tag),
                 MPI_Comm_create_group(MPI_COMM_SELF, self, tag, &made));
    EXPECT_ERROR(MPI_ERR_TAG, "tag", std::to_string(tag),
                 MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, tag, &made));
  }
  MPI_Group_free(&self);
}

// The leader finds out, and everybody on its side hears of it.
void bad_leaders() {
  Untouched<MPI_Comm> made;
  for (int bad : {-1, check::size, MPI_PROC_NULL, MPI_ROOT, MPI_ANY_SOURCE}) {
    EXPECT_ERROR(MPI_ERR_RANK, "local_leader", std::to_string(bad),
                 MPI_Intercomm_create(MPI_COMM_WORLD, bad, MPI_COMM_WORLD, 0, 0, &made));
    EXPECT_ERROR(MPI_ERR_RANK, "remote_leader", std::to_string(bad),
                 MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, bad, 0, &made));
    const int code = MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, bad, 0, &made);
    EXPECT_ERROR_OF("MPI_Intercomm_create", MPI_ERR_RANK,
                    check::rank == 0 ? "remote_leader" : "leader", "", code);
  }
  if (check::on_atoll()) {
    EXPECT_ERROR(MPI_ERR_RANK, "remote_leader", std::to_string(check::rank),
                 MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, check::rank, 0, &made));
  }
}

// Each of two ranks takes itself for the leader of a side in which both are.
void overlapping_sides() {
  if (check::size < 2) return;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  {
    Untouched<MPI_Comm> made;
    const int mine = check::rank % 2;  // ranks 0 and 1 lead; each rank is in both groups
    MPI_Comm side;
    MPI_Comm_split(MPI_COMM_WORLD, check::rank < 2 ? 0 : MPI_UNDEFINED, 0, &side);
    if (side != MPI_COMM_NULL) {
      const int code = MPI_Intercomm_create(side, mine, copy, 1 - mine, 5, &made);
      const bool atoll = check::on_atoll();  // others look at the groups first
      EXPECT_ERROR_OF("MPI_Intercomm_create", atoll ? MPI_ERR_NOT_SAME : MPI_ERR_COMM,
                      "local_leader", "1", code);
      MPI_Comm_free(&side);
    }
  }
  MPI_Comm_free(&copy);
}

void inter_communicators() {
  if (check::size < 2) return;
  MPI_Comm half, inter;
  const bool low = check::rank < check::size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? check::size / 2 : 0, 0, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Comm_set_name(inter, "bridge");
  int remote = -1;
  MPI_Comm_remote_size(inter, &remote);
  {
    Untouched<MPI_Comm> made;
    int data = 0;
    MPI_Group group = group_of(MPI_COMM_SELF);
    // Ranks are those of the remote group.
    EXPECT_ERROR(MPI_ERR_RANK, "dest", std::to_string(remote),
                 MPI_Send(&data, 1, MPI_INT, remote, 0, inter));
    EXPECT_ERROR(MPI_ERR_RANK, "source", std::to_string(remote),
                 MPI_Recv(&data, 1, MPI_INT, remote, 0, inter, MPI_STATUS_IGNORE));
    EXPECT_ERROR(MPI_ERR_ROOT, "root", std::to_string(remote),
                 MPI_Bcast(&data, 1, MPI_INT, remote, inter));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "bridge", MPI_Comm_create_group(inter, group, 0, &made));
    EXPECT_ERROR(MPI_ERR_COMM, "local_comm", "bridge",
                 MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &made));
    MPI_Group_free(&group);
  }
  // All of a group must say the same of `high`.
  if (check::on_atoll()) {
    int half_rank = -1;
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm merged = MPI_COMM_NULL;
    const int code = MPI_Intercomm_merge(inter, half_rank != 0, &merged);
    if (check::size > 2) {
      EXPECT_ERROR_OF("MPI_Intercomm_merge", MPI_ERR_NOT_SAME, "high", "1", code);
      CHECK(merged == MPI_COMM_NULL);
    } else {
      CHECK_EQ(code, MPI_SUCCESS);
      MPI_Comm_free(&merged);
    }
  }
  MPI_Barrier(inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void missing_addresses() {
  MPI_Group group = group_of(MPI_COMM_SELF);
  Untouched<MPI_Comm> made;
  Untouched<MPI_Request> request;
  EXPECT_ERROR(MPI_ERR_ARG, "newcomm", "", MPI_Comm_create(MPI_COMM_SELF, group, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newcomm", "", MPI_Comm_create_group(MPI_COMM_SELF, group, 0, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newcomm", "", MPI_Comm_idup(MPI_COMM_SELF, nullptr, &request));
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Comm_idup(MPI_COMM_SELF, &made, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newcomm", "", MPI_Comm_split(MPI_COMM_SELF, 0, 0, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Comm_test_inter(MPI_COMM_SELF, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newintercomm", "",
               MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, 0, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "comm", "", MPI_Comm_disconnect(nullptr));
  MPI_Group_free(&group);
}

void bad_infos_and_types() {
  Untouched<MPI_Comm> made;
  Untouched<MPI_Request> request;
  Untouched<MPI_Info> info;
  const MPI_Info garbage = errors::garbage<MPI_Info>();
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Comm_dup_with_info(MPI_COMM_WORLD, garbage, &made));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "",
               MPI_Comm_idup_with_info(MPI_COMM_WORLD, garbage, &made, &request));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Comm_set_info(MPI_COMM_WORLD, garbage));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "",
               MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, garbage, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_get_info(MPI_COMM_NULL, &info));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_set_info(MPI_COMM_NULL, MPI_INFO_NULL));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "",
               MPI_Comm_dup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "info_used", "", MPI_Comm_get_info(MPI_COMM_WORLD, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "hw_info", "", MPI_Get_hw_resource_info(nullptr));
  for (int type : {-1, 0, 4711}) {
    EXPECT_ERROR(MPI_ERR_ARG, "split_type", std::to_string(type),
                 MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &made));
  }
}

// Without a parent; the error handler of the call answers.
void from_groups() {
  Untouched<MPI_Comm> made;
  MPI_Group self = group_of(MPI_COMM_SELF), world = group_of(MPI_COMM_WORLD), other = self;
  const MPI_Errhandler handler = MPI_ERRORS_RETURN;
  const auto create = [&](MPI_Group group, const char* tag) {
    return MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, handler, &made);
  };
  const auto connect = [&](MPI_Group local, int leader, MPI_Group remote, int remote_leader) {
    return MPI_Intercomm_create_from_groups(local, leader, remote, remote_leader, "bad",
                                            MPI_INFO_NULL, handler, &made);
  };
  const char* one = "MPI_Comm_create_from_group";
  const char* two = "MPI_Intercomm_create_from_groups";
  EXPECT_ERROR_OF(one, MPI_ERR_GROUP, "group", "MPI_GROUP_NULL", create(MPI_GROUP_NULL, "bad"));
  EXPECT_ERROR_OF(one, MPI_ERR_ARG, "stringtag", "", create(self, nullptr));
  const std::string long_tag(MPI_MAX_STRINGTAG_LEN, 'x');
  EXPECT_ERROR_OF(one, MPI_ERR_ARG, "stringtag", "", create(self, long_tag.c_str()));
  EXPECT_ERROR_OF(two, MPI_ERR_GROUP, "local_group", "", connect(MPI_GROUP_NULL, 0, self, 0));
  EXPECT_ERROR_OF(two, MPI_ERR_GROUP, "remote_group", "", connect(self, 0, MPI_GROUP_NULL, 0));
  EXPECT_ERROR_OF(two, MPI_ERR_RANK, "local_leader", "1", connect(self, 1, world, 0));
  EXPECT_ERROR_OF(two, MPI_ERR_RANK, "remote_leader", "-1", connect(self, 0, world, -1));
  EXPECT_ERROR_OF(two, MPI_ERR_GROUP, "remote_group", "", connect(self, 0, world, 0));
  if (check::size > 1) {
    const int neighbour = (check::rank + 1) % check::size;
    MPI_Group_incl(world, 1, &neighbour, &other);
    EXPECT_ERROR_OF(one, MPI_ERR_GROUP, "group", "", create(other, "bad"));
    EXPECT_ERROR_OF(two, MPI_ERR_GROUP, "local_group", "", connect(other, 0, self, 0));
    MPI_Group_free(&other);
  }
  MPI_Group_free(&self);
  MPI_Group_free(&world);
}

// After all of that: everything still works.
void works() {
  MPI_Comm made;
  CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, 0, &made), MPI_SUCCESS);
  CHECK_EQ(MPI_Barrier(made), MPI_SUCCESS);
  CHECK_EQ(MPI_Comm_free(&made), MPI_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  bad_communicator(MPI_COMM_NULL);
  if (check::on_atoll()) {
    bad_communicator(errors::freed_communicator());
    bad_communicator(errors::garbage<MPI_Comm>());
  }
  wrong_kind();
  bad_groups();
  different_groups();
  bad_colors_and_tags();
  bad_leaders();
  overlapping_sides();
  inter_communicators();
  missing_addresses();
  bad_infos_and_types();
  if (check::on_atoll()) from_groups();
  works();
  errors::check_all_is_well();
  return check::finish();
}
