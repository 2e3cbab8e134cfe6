// MPI_Comm_create and MPI_Comm_create_group (7.4.2).
#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"
#include "test/pattern.h"

namespace {

using comms::Ranks;

Ranks everybody() { return comms::members(MPI_COMM_WORLD); }

bool has(const Ranks& ranks, int rank) { return std::ranges::count(ranks, rank) != 0; }

// All call it, with a group that they may belong to.
void check_create(const Ranks& ranks) {
  MPI_Group group = comms::group_of(ranks);
  MPI_Comm made = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Comm_create(MPI_COMM_WORLD, group, &made), MPI_SUCCESS);
  MPI_Group_free(&group);
  CHECK_EQ(made != MPI_COMM_NULL, has(ranks, check::rank));
  if (made == MPI_COMM_NULL) return;
  comms::check_comm(made, ranks, int(ranks.size()));
  MPI_Comm_free(&made);
}

// Only the members call it.
void check_create_group(const Ranks& ranks, int tag) {
  if (!has(ranks, check::rank)) return;
  MPI_Group group = comms::group_of(ranks);
  MPI_Comm made = MPI_COMM_NULL;
  CHECK_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &made), MPI_SUCCESS);
  MPI_Group_free(&group);
  comms::check_comm(made, ranks, tag);
  MPI_Comm_free(&made);
}

std::vector<Ranks> groups() {
  const Ranks all = everybody();
  Ranks reversed(all.rbegin(), all.rend()), odd, first_half;
  for (int rank : all) {
    if (rank % 2) odd.push_back(rank);
    if (rank < (check::size + 1) / 2) first_half.push_back(rank);
  }
  return {all, reversed, odd, first_half, {0}, {check::size - 1}};
}

void one_group_for_all() {
  for (const Ranks& ranks : groups()) {
    check::set_case("a group of %zu", ranks.size());
    check_create(ranks);
    for (int tag : {0, 5, 101, 2147483645, 2147483646, 2147483647}) check_create_group(ranks, tag);
  }
  check::set_case("MPI_GROUP_EMPTY");
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &made);
  CHECK(made == MPI_COMM_NULL);
}

// Disjoint groups at once (since MPI 2.2).
void disjoint() {
  for (int parts = 1; parts <= 4; ++parts) {
    check::set_case("%d disjoint groups", parts);
    Ranks mine;
    for (int rank = check::size - 1; rank >= 0; --rank) {
      if (rank % parts == check::rank % parts) mine.push_back(rank);
    }
    check_create(mine);
    check_create_group(mine, parts);
  }
}

// Groups that overlap, one after the other: nobody waits for who is not in.
void chain_of_pairs() {
  check::set_case("a chain of pairs");
  for (int low = 0; low + 1 < check::size; ++low) check_create_group({low + 1, low}, low);
}

// A message of the program with the same tag is not in the way.
void tags_apart() {
  if (check::size < 2) return;
  check::set_case("messages under way");
  const int to = (check::rank + 1) % check::size;
  const int from = (check::rank + check::size - 1) % check::size;
  int out = check::rank, in = -1;
  MPI_Request receive;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
  check_create_group(everybody(), 3);
  MPI_Send(&out, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  CHECK_EQ(in, from);
}

void at_random() {
  for (int i = 0; i < 50; ++i) {
    check::set_case("random group %d", i);
    check::Random random(i);
    Ranks ranks = everybody();
    for (std::size_t k = ranks.size(); k > 1; --k) std::swap(ranks[k - 1], ranks[random.below(k)]);
    ranks.resize(1 + random.below(ranks.size()));
    if (i % 2) {
      check_create(ranks);
    } else {
      check_create_group(ranks, i);
    }
  }
}

void disconnect() {
  check::set_case("MPI_Comm_disconnect waits for what is under way");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int to = (check::rank + 1) % check::size;
  const int from = (check::rank + check::size - 1) % check::size;
  std::vector<char> out(300000), in(300000);
  check::fill(out.data(), out.size(), check::rank);
  MPI_Request requests[2];
  MPI_Irecv(in.data(), int(in.size()), MPI_BYTE, from, 1, comm, &requests[0]);
  MPI_Isend(out.data(), int(out.size()), MPI_BYTE, to, 1, comm, &requests[1]);
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL);
  if (check::on_atoll()) CHECK_PATTERN(in.data(), int(in.size()), from);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_PATTERN(in.data(), int(in.size()), from);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  one_group_for_all();
  disjoint();
  chain_of_pairs();
  tags_apart();
  at_random();
  disconnect();
  return check::finish();
}
