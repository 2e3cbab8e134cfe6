// MPI_Comm_split (7.4.2): who ends up where, by color, key and old rank.
#include <algorithm>
#include <climits>
#include <functional>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"
#include "test/pattern.h"

namespace {

using comms::Ranks;
using Number = std::function<int(int)>;  // of a rank in MPI_COMM_WORLD

// Splits a communicator of these members; colors and keys are functions of ranks in
// MPI_COMM_WORLD.
MPI_Comm check_split(MPI_Comm comm, const Ranks& old, const Number& color, const Number& key) {
  MPI_Comm made = MPI_COMM_WORLD;
  const int mine = color(check::rank);
  CHECK_EQ(MPI_Comm_split(comm, mine, key(check::rank), &made), MPI_SUCCESS);
  if (mine == MPI_UNDEFINED) {
    CHECK(made == MPI_COMM_NULL);
    return made;
  }
  Ranks expected;
  for (int rank : old) {
    if (color(rank) == mine) expected.push_back(rank);
  }
  std::ranges::stable_sort(expected, {}, key);
  comms::check_comm(made, expected, mine);
  return made;
}

void check_and_free(const Number& color, const Number& key) {
  MPI_Comm made = check_split(MPI_COMM_WORLD, comms::members(MPI_COMM_WORLD), color, key);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

void simple() {
  const Number zero = [](int) { return 0; };
  const Number rank = [](int r) { return r; };
  check::set_case("one color");
  check_and_free(zero, zero);
  check::set_case("the other way round");
  check_and_free(zero, [](int r) { return -r; });
  check::set_case("each alone");
  check_and_free(rank, zero);
  check::set_case("even and odd");
  check_and_free([](int r) { return r % 2; }, rank);
  check::set_case("some take no part");
  check_and_free([](int r) { return r % 3 == 1 ? MPI_UNDEFINED : 5; }, zero);
  check::set_case("nobody takes part");
  check_and_free([](int) { return MPI_UNDEFINED; }, zero);
  check::set_case("the largest numbers");
  check_and_free([](int r) { return INT_MAX - r % 2; },
                 [](int r) { return r % 2 ? INT_MIN : INT_MAX; });
}

// Splits of splits, down to single ranks.
void nested() {
  check::Random random(99);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int depth = 0;; ++depth) {
    check::set_case("depth %d", depth);
    const Ranks old = comms::members(comm);
    if (old.size() == 1) break;
    const std::uint64_t salt = random.next();
    const Number place = [&](int rank) { return int(std::ranges::find(old, rank) - old.begin()); };
    const Number color = [&](int rank) { return place(rank) < int(old.size() + 1) / 2; };
    MPI_Comm next = check_split(
        comm, old, color, [&](int rank) { return int(check::Random(salt + rank).next() % 7); });
    MPI_Comm_free(&comm);
    comm = next;
  }
  MPI_Comm_free(&comm);
}

void at_random() {
  for (int i = 0; i < 60; ++i) {
    check::set_case("random split %d", i);
    const std::uint64_t salt = 1000 * i;
    const auto number = [salt](int rank, int kind) {
      return check::Random(salt + 2 * rank + kind).next();
    };
    check_and_free(
        [&](int rank) {
          const std::uint64_t n = number(rank, 0) % 4;
          return n == 3 ? MPI_UNDEFINED : int(n);
        },
        [&](int rank) { return int(number(rank, 1) % 5) - 2; });
  }
}

// Disjoint halves split on their own, at their own pace.
void halves_apart() {
  check::set_case("halves split independently");
  MPI_Comm half;
  const int side = check::rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  const Ranks old = comms::members(half);
  for (int i = 0; i < (side ? 40 : 90); ++i) {
    MPI_Comm made = check_split(
        half, old, [](int rank) { return rank % 4 < 2; }, [](int) { return 0; });
    MPI_Comm_free(&made);
  }
  MPI_Comm_free(&half);
}

// The error handler is the parent's (9.3), a name is not.
void inherits() {
  check::set_case("what a split inherits");
  MPI_Comm parent, made;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  MPI_Comm_set_name(parent, "parent");
  MPI_Comm_split(parent, 0, 0, &made);
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(made, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Comm_get_name(made, name, &length);
  CHECK_EQ(length, 0);
  MPI_Comm_free(&made);
  MPI_Comm_free(&parent);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  simple();
  nested();
  at_random();
  halves_apart();
  inherits();
  return check::finish();
}
