// Inter-communicators (7.6): made, asked, used, copied, split, merged.
#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"
#include "test/pattern.h"

namespace {

using comms::Ranks;

// Two groups of MPI_COMM_WORLD, this rank in one of them.
struct Sides {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  Ranks own, remote;
  bool first = false;  // this side has the rank 0 of MPI_COMM_WORLD
};

// The leaders are the last ranks of their sides, the sides in descending order
// when `reversed`.
Sides make(int (*side_of)(int), bool reversed, int tag) {
  Sides sides;
  const int side = side_of(check::rank);
  MPI_Comm_split(MPI_COMM_WORLD, side, reversed ? -check::rank : check::rank, &sides.local);
  for (int rank = 0; rank < check::size; ++rank) {
    (side_of(rank) == side ? sides.own : sides.remote).push_back(rank);
  }
  if (reversed) {
    std::ranges::reverse(sides.own);
    std::ranges::reverse(sides.remote);
  }
  sides.first = side == side_of(0);
  const int leader = int(sides.own.size()) - 1;
  const bool leads = sides.own.back() == check::rank;
  // Only the leader's peer communicator and remote leader count.
  CHECK_EQ(MPI_Intercomm_create(sides.local, leader, leads ? MPI_COMM_WORLD : MPI_COMM_NULL,
                                leads ? sides.remote.back() : -77, tag, &sides.inter),
           MPI_SUCCESS);
  return sides;
}

void end(Sides& sides) {
  MPI_Comm_free(&sides.inter);
  MPI_Comm_free(&sides.local);
}

void check_merge(const Sides& sides, bool first_is_high) {
  const bool high = sides.first == first_is_high;
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(sides.inter, high, &merged);
  CHECK(!comms::is_inter(merged));
  Ranks expected = high ? sides.remote : sides.own;
  const Ranks& rest = high ? sides.own : sides.remote;
  expected.insert(expected.end(), rest.begin(), rest.end());
  comms::check_comm(merged, expected, 4);
  MPI_Comm_free(&merged);
}

// Where both sides say the same, either order is right, but all see the same.
void check_merge_alike(const Sides& sides, int high) {
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(sides.inter, high, &merged);
  const Ranks all = comms::members(merged);
  const bool own_first = all[0] == sides.own[0];
  Ranks expected = own_first ? sides.own : sides.remote;
  const Ranks& rest = own_first ? sides.remote : sides.own;
  expected.insert(expected.end(), rest.begin(), rest.end());
  comms::check_comm(merged, expected, 5);
  MPI_Comm_free(&merged);
}

void check_dup(const Sides& sides) {
  MPI_Comm copy = MPI_COMM_NULL, second = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Comm_dup(sides.inter, &copy);
  MPI_Comm_idup(sides.inter, &second, &request);
  comms::check_inter(copy, sides.own, sides.remote, 2);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  comms::check_inter(second, sides.own, sides.remote, 3);
  CHECK_EQ(comms::compare(copy, sides.inter), MPI_CONGRUENT);
  CHECK_EQ(comms::compare(copy, copy), MPI_IDENT);
  CHECK_EQ(comms::compare(copy, sides.local), MPI_UNEQUAL);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&second);
}

Ranks every_second(const Ranks& ranks) {
  Ranks chosen;
  for (std::size_t i = 0; i < ranks.size(); i += 2) chosen.push_back(ranks[i]);
  return chosen;
}

// The new groups are every second rank of each side.
void check_create(const Sides& sides) {
  const Ranks own = every_second(sides.own), remote = every_second(sides.remote);
  MPI_Group group = comms::group_of(own);
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_create(sides.inter, group, &made);
  MPI_Group_free(&group);
  if (std::ranges::count(own, check::rank) == 0) {
    CHECK(made == MPI_COMM_NULL);
  } else {
    comms::check_inter(made, own, remote, 6);
    MPI_Comm_free(&made);
  }
  // A side without members: nobody gets anything.
  group = sides.first ? MPI_GROUP_EMPTY : comms::group_of(sides.own);
  MPI_Comm_create(sides.inter, group, &made);
  CHECK(made == MPI_COMM_NULL);
  MPI_Group_free(&group);
}

int color_of(int rank) { return rank / 2 % 3 == 2 ? MPI_UNDEFINED : rank / 2 % 3; }
int key_of(int rank) { return -(rank % 5); }

Ranks of_color(const Ranks& ranks, int color) {
  Ranks chosen;
  for (int rank : ranks) {
    if (color_of(rank) == color) chosen.push_back(rank);
  }
  std::ranges::stable_sort(chosen, {}, key_of);
  return chosen;
}

void check_split(const Sides& sides) {
  const int color = color_of(check::rank);
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_split(sides.inter, color, key_of(check::rank), &made);
  const Ranks own = of_color(sides.own, color), remote = of_color(sides.remote, color);
  if (color == MPI_UNDEFINED || remote.empty()) {
    CHECK(made == MPI_COMM_NULL);
    return;
  }
  comms::check_inter(made, own, remote, 7);
  MPI_Comm_free(&made);
}

// Wildcards see nothing of the local group, nor of another communicator.
void check_wildcards(const Sides& sides) {
  const int remote = int(sides.remote.size()), own = int(sides.own.size());
  int rank = -1;
  MPI_Comm_rank(sides.inter, &rank);
  std::vector<MPI_Request> sends(remote + own);
  const int to_remote = 1, to_own = 2;
  for (int i = 0; i < own; ++i) {
    MPI_Isend(&to_own, 1, MPI_INT, i, 9, sides.local, &sends[i]);
  }
  for (int i = 0; i < remote; ++i) {
    MPI_Isend(&to_remote, 1, MPI_INT, i, 9, sides.inter, &sends[own + i]);
  }
  std::vector<bool> seen(remote);
  for (int i = 0; i < remote; ++i) {
    MPI_Status status;
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, sides.inter, &status);
    CHECK_EQ(in, to_remote);
    CHECK(!seen.at(status.MPI_SOURCE));
    seen[status.MPI_SOURCE] = true;
  }
  for (int i = 0; i < own; ++i) {
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, sides.local, MPI_STATUS_IGNORE);
    CHECK_EQ(in, to_own);
  }
  MPI_Waitall(remote + own, sends.data(), MPI_STATUSES_IGNORE);
  MPI_Barrier(sides.inter);  // what comes next must not meet these wildcards
}

// Long messages, synchronous ones and probes, over the middle.
void check_messages(const Sides& sides) {
  int rank = -1;
  MPI_Comm_rank(sides.inter, &rank);
  const int pairs = int(std::min(sides.own.size(), sides.remote.size()));
  if (rank >= pairs) return;
  const int peer = sides.remote[rank];
  for (int bytes : {0, 40, 41, 9000, 300000}) {
    std::vector<char> out(bytes + 1), in(bytes + 1);
    check::fill(out.data(), bytes, check::rank);
    MPI_Request request;
    MPI_Issend(out.data(), bytes, MPI_BYTE, rank, 1, sides.inter, &request);
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(rank, MPI_ANY_TAG, sides.inter, &message, &status);
    int count = -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_EQ(count, bytes);
    CHECK_EQ(status.MPI_SOURCE, rank);
    MPI_Mrecv(in.data(), bytes, MPI_BYTE, &message, &status);
    CHECK_PATTERN(in.data(), bytes, peer);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

void broadcast(const Sides& sides) {
  for (bool from_first : {true, false}) {
    int rank = -1;
    MPI_Comm_rank(sides.inter, &rank);
    const int remote_root = int(sides.remote.size()) - 1;
    const bool is_root = rank == int(sides.own.size()) - 1;
    int data = is_root ? 4711 + from_first : -1;
    const int root = sides.first != from_first ? remote_root : is_root ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&data, 1, MPI_INT, root, sides.inter);
    CHECK_EQ(data, sides.first != from_first || is_root ? 4711 + from_first : -1);
  }
}

void check_sides(const char* name, int (*side_of)(int)) {
  for (bool reversed : {false, true}) {
    check::set_case("%s%s", name, reversed ? ", reversed" : "");
    Sides sides = make(side_of, reversed, 12);
    comms::check_inter(sides.inter, sides.own, sides.remote, 1);
    CHECK(!comms::is_inter(sides.local));
    check_wildcards(sides);
    check_messages(sides);
    broadcast(sides);
    check_dup(sides);
    check_create(sides);
    check_split(sides);
    check_merge(sides, false);
    check_merge(sides, true);
    check_merge_alike(sides, 0);
    check_merge_alike(sides, 1);
    end(sides);
  }
}

// An inter-communicator as the peer communicator of another.
void through_another() {
  check::set_case("an inter-communicator made through another");
  Sides sides = make([](int rank) { return rank % 2; }, false, 3);
  MPI_Comm made;
  // The first of each side leads; it is rank 0 of the remote group there.
  MPI_Intercomm_create(sides.local, 0, sides.inter, 0, 8, &made);
  comms::check_inter(made, sides.own, sides.remote, 11);
  MPI_Comm_free(&made);
  end(sides);
}

// Several under construction, made in another order by the two sides' leaders.
void several() {
  check::set_case("several at once");
  Sides sides = make([](int rank) { return int(rank >= check::size / 2); }, false, 20);
  std::vector<MPI_Comm> copies(20);
  for (MPI_Comm& copy : copies) MPI_Comm_dup(sides.inter, &copy);
  for (std::size_t i = 0; i < copies.size(); ++i) comms::check_exchange(copies[i], int(i));
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
  end(sides);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK(!comms::is_inter(MPI_COMM_WORLD));
  if (check::size > 1) {
    check_sides("even and odd", [](int rank) { return rank % 2; });
    check_sides("one and the rest", [](int rank) { return int(rank == 0); });
    check_sides("the rest and one", [](int rank) { return int(rank == check::size - 1); });
    check_sides("halves", [](int rank) { return int(rank >= check::size / 2); });
    through_another();
    several();
  }
  return check::finish();
}
