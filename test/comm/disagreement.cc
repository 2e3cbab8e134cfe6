// Ranks call one construction with arguments that do not belong together: where
// they meet, all of them get MPI_ERR_NOT_SAME with the same sentence, nothing is
// made, and the next construction works.
#include <functional>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

using comms::Ranks;

bool is_last() { return check::rank == check::size - 1; }

Ranks all() {
  Ranks ranks;
  for (int rank = 0; rank < check::size; ++rank) ranks.push_back(rank);
  return ranks;
}

Ranks without(Ranks ranks, int rank) {
  std::erase(ranks, rank);
  return ranks;
}

// `construct` fails here in the way that it fails everywhere.
void expect_refused(const char* what, const std::vector<std::string>& words,
                    const std::function<int(MPI_Comm*)>& construct) {
  check::set_case("%s", what);
  MPI_Comm made = MPI_COMM_WORLD;
  const int code = construct(&made);
  CHECK_EQ(check::error_class(code), MPI_ERR_NOT_SAME);
  CHECK(made == MPI_COMM_WORLD);
  const std::string text = check::error_text(code);
  for (const std::string& word : words) {
    if (text.find(word) == std::string::npos) {
      check::fail(__FILE__, __LINE__, "no \"" + word + "\" in: " + text);
    }
  }
}

void expect_works(MPI_Comm comm) {
  MPI_Comm made;
  MPI_Comm_create_group(comm, comms::group_of(all()), 7, &made);
  comms::check_comm(made, all(), 1);
  MPI_Comm_free(&made);
  comms::check_exchange(comm, 2);
}

int create_group(MPI_Comm comm, const Ranks& ranks, int tag, MPI_Comm* made) {
  MPI_Group group = comms::group_of(ranks);
  const int code = MPI_Comm_create_group(comm, group, tag, made);
  MPI_Group_free(&group);
  return code;
}

int create(MPI_Comm comm, const Ranks& ranks, MPI_Comm* made) {
  MPI_Group group = comms::group_of(ranks);
  const int code = MPI_Comm_create(comm, group, made);
  MPI_Group_free(&group);
  return code;
}

int from_group(const Ranks& ranks, const std::string& tag, MPI_Comm* made) {
  MPI_Group group = comms::group_of(ranks);
  const int code =
      MPI_Comm_create_from_group(group, tag.c_str(), MPI_INFO_NULL, MPI_ERRORS_RETURN, made);
  MPI_Group_free(&group);
  return code;
}

void in_a_group(MPI_Comm comm) {
  const std::string last = "rank " + std::to_string(check::size - 1) + " of the job";
  const std::string size = std::to_string(check::size);
  const Ranks forwards = all(), backwards(forwards.rbegin(), forwards.rend());
  expect_refused("the same group in another order", {last, "rank 0", "order"}, [&](MPI_Comm* made) {
    return create_group(comm, is_last() ? backwards : all(), 3, made);
  });
  expect_refused("different tags", {last, "tag=4", "tag=3"}, [&](MPI_Comm* made) {
    return create_group(comm, all(), is_last() ? 4 : 3, made);
  });
  expect_refused("MPI_Comm_create and MPI_Comm_create_group", {last, "tag=3", "MPI_Comm_create"},
                 [&](MPI_Comm* made) {
                   return is_last() ? create_group(comm, all(), 3, made)
                                    : create(comm, all(), made);
                 });
  expect_refused(
      "different strings", {last, "stringtag=org.example.one", "stringtag=org.example.two"},
      [&](MPI_Comm* made) {
        return from_group(all(), is_last() ? "org.example.two" : "org.example.one", made);
      });
  if (check::size < 3) return;
  expect_refused("groups of different sizes", {last, size, std::to_string(check::size - 1)},
                 [&](MPI_Comm* made) {
                   return create_group(comm, is_last() ? without(all(), 1) : all(), 3, made);
                 });
  expect_refused("groups of different sizes, without a parent", {last, size}, [&](MPI_Comm* made) {
    return from_group(is_last() ? without(all(), 1) : all(), "org.example.three", made);
  });
}

struct Sides {
  Ranks own, remote;
};

Sides sides() {
  Sides sides;
  for (int rank : all()) (rank % 2 == check::rank % 2 ? sides.own : sides.remote).push_back(rank);
  return sides;
}

int between(const Ranks& own, int own_leader, const Ranks& remote, int remote_leader,
            MPI_Comm* made) {
  MPI_Group local_group = comms::group_of(own), remote_group = comms::group_of(remote);
  const int code =
      MPI_Intercomm_create_from_groups(local_group, own_leader, remote_group, remote_leader,
                                       "org.example.sides", MPI_INFO_NULL, MPI_ERRORS_RETURN, made);
  MPI_Group_free(&local_group);
  MPI_Group_free(&remote_group);
  return code;
}

// Where a side of two or more does not agree, the other hears of it.
void between_groups(MPI_Comm comm) {
  if (check::size < 4) return;
  const auto [own, remote] = sides();
  MPI_Comm half, inter, made;
  MPI_Comm_split(comm, check::rank % 2, 0, &half);
  expect_refused("local_leader", {"local_leader=0", "1 at rank 1"}, [&](MPI_Comm* result) {
    int rank = -1;
    MPI_Comm_rank(half, &rank);
    return MPI_Intercomm_create(half, rank == 1, comm, check::rank % 2 == 0, 5, result);
  });
  MPI_Intercomm_create(half, 0, comm, check::rank % 2 == 0, 5, &inter);
  expect_refused("high", {}, [&](MPI_Comm* result) {
    return MPI_Intercomm_merge(inter, check::rank == 2, result);
  });
  expect_refused("groups of an inter-communicator", {}, [&](MPI_Comm* result) {
    return create(inter, check::rank == 2 ? without(own, 0) : own, result);
  });
  comms::check_exchange(inter, 4);
  MPI_Intercomm_merge(inter, check::rank % 2, &made);
  comms::check_exchange(made, 5);
  MPI_Comm_free(&made);
  create(inter, own, &made);
  comms::check_inter(made, own, remote, 6);
  for (MPI_Comm* one : {&made, &inter, &half}) MPI_Comm_free(one);

  expect_refused("sides that mean others", {"remote_group"}, [&](MPI_Comm* result) {
    const bool even = check::rank % 2 == 0;
    return between(own, 0, even ? without(remote, check::size - 1 - check::size % 2) : remote, 0,
                   result);
  });
  CHECK_EQ(between(own, 0, remote, 0, &made), MPI_SUCCESS);
  comms::check_inter(made, own, remote, 7);
  MPI_Comm_free(&made);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::passed();
  if (check::on_atoll() && check::size > 1) {
    check::return_errors();
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 4; ++i) {
      in_a_group(comm);
      expect_works(comm);
      between_groups(comm);
      expect_works(comm);
    }
    MPI_Comm_free(&comm);
  }
  return check::finish();
}
