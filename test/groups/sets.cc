// Groups as ordered sets: what every operation must give is computed from lists
// of ranks, for groups chosen by hand and at random.
#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using Ranks = std::vector<int>;  // in MPI_COMM_WORLD

MPI_Group world = MPI_GROUP_NULL;

bool has(const Ranks& ranks, int rank) { return std::ranges::count(ranks, rank) != 0; }

// Who is in a group, by everything a program can ask about it.
Ranks members(MPI_Group group) {
  int size = -1, rank = -1;
  CHECK_EQ(MPI_Group_size(group, &size), MPI_SUCCESS);
  CHECK_EQ(MPI_Group_rank(group, &rank), MPI_SUCCESS);
  Ranks own(size), ranks(size, -1), back(size, -1);
  for (int i = 0; i < size; ++i) own[i] = i;
  MPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
  MPI_Group_translate_ranks(world, size, ranks.data(), group, back.data());
  CHECK(back == own);
  const auto here = std::ranges::find(ranks, check::rank);
  CHECK_EQ(rank, here == ranks.end() ? MPI_UNDEFINED : int(here - ranks.begin()));
  return ranks;
}

MPI_Group group_of(const Ranks& ranks) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group_incl(world, int(ranks.size()), ranks.data(), &group);
  CHECK(members(group) == ranks);
  CHECK_EQ(group == MPI_GROUP_EMPTY, ranks.empty());
  return group;
}

int compare(MPI_Group one, MPI_Group other) {
  int result = -1;
  MPI_Group_compare(one, other, &result);
  return result;
}

int expected_comparison(Ranks one, Ranks other) {
  if (one == other) return MPI_IDENT;
  std::ranges::sort(one);
  std::ranges::sort(other);
  return one == other ? MPI_SIMILAR : MPI_UNEQUAL;
}

void check_result(MPI_Group result, const Ranks& expected) {
  CHECK(members(result) == expected);
  if (expected.empty()) CHECK(result == MPI_GROUP_EMPTY);
  MPI_Group_free(&result);
  CHECK(result == MPI_GROUP_NULL);
}

void check_pair(const Ranks& one, const Ranks& other) {
  MPI_Group a = group_of(one), b = group_of(other), result;
  Ranks both, common, only;
  for (int rank : one) (has(other, rank) ? common : only).push_back(rank);
  both = one;
  for (int rank : other) {
    if (!has(one, rank)) both.push_back(rank);
  }
  MPI_Group_union(a, b, &result);
  check_result(result, both);
  MPI_Group_intersection(a, b, &result);
  check_result(result, common);
  MPI_Group_difference(a, b, &result);
  check_result(result, only);
  CHECK_EQ(compare(a, b), expected_comparison(one, other));
  CHECK_EQ(compare(a, a), MPI_IDENT);
  // Where each of the one is in the other.
  Ranks own(one.size()), there(one.size(), -1);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = int(i);
  MPI_Group_translate_ranks(a, int(own.size()), own.data(), b, there.data());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const auto found = std::ranges::find(other, one[i]);
    CHECK_EQ(there[i], found == other.end() ? MPI_UNDEFINED : int(found - other.begin()));
  }
  MPI_Group_free(&a);
  MPI_Group_free(&b);
}

// Some of `from`, in a random order.
Ranks choose(check::Random& random, const Ranks& from) {
  Ranks ranks = from;
  for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
  ranks.resize(random.below(ranks.size() + 1));
  if (random.one_in(2)) std::ranges::sort(ranks);
  return ranks;
}

Ranks everybody() {
  Ranks ranks(check::size);
  for (int i = 0; i < check::size; ++i) ranks[i] = i;
  return ranks;
}

void pairs() {
  const Ranks all = everybody();
  Ranks reversed(all.rbegin(), all.rend()), even, odd;
  for (int rank : all) (rank % 2 ? odd : even).push_back(rank);
  const std::vector<Ranks> special = {all, reversed, even, odd, {}, {0}, {check::size - 1}};
  for (const Ranks& one : special) {
    for (const Ranks& other : special) {
      check::set_case("groups of %zu and %zu", one.size(), other.size());
      check_pair(one, other);
    }
  }
  check::Random random(check::size);
  for (int i = 0; i < 200; ++i) {
    check::set_case("random pair %d", i);
    check_pair(choose(random, all), choose(random, all));
  }
}

// Inclusion and exclusion out of a group that is not the world.
void choices() {
  check::Random random(100 + check::size);
  for (int i = 0; i < 200; ++i) {
    check::set_case("random choice %d", i);
    const Ranks base = choose(random, everybody());
    MPI_Group group = group_of(base), result;
    Ranks places(base.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = int(k);
    const Ranks chosen = choose(random, places);
    Ranks in, out;
    for (int place : chosen) in.push_back(base[place]);
    for (int place : places) {
      if (!has(chosen, place)) out.push_back(base[place]);
    }
    MPI_Group_incl(group, int(chosen.size()), chosen.data(), &result);
    check_result(result, in);
    MPI_Group_excl(group, int(chosen.size()), chosen.data(), &result);
    check_result(result, out);
    MPI_Group_free(&group);
  }
}

void predefined() {
  check::set_case("MPI_GROUP_EMPTY");
  int size = -1, rank = -1;
  MPI_Group_size(MPI_GROUP_EMPTY, &size);
  MPI_Group_rank(MPI_GROUP_EMPTY, &rank);
  CHECK_EQ(size, 0);
  CHECK_EQ(rank, MPI_UNDEFINED);
  CHECK_EQ(compare(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY), MPI_IDENT);
  CHECK_EQ(compare(MPI_GROUP_EMPTY, world), MPI_UNEQUAL);
  MPI_Group empty = MPI_GROUP_EMPTY;
  MPI_Group_free(&empty);
  CHECK(empty == MPI_GROUP_NULL);
  MPI_Group_size(MPI_GROUP_EMPTY, &size);
  CHECK_EQ(size, 0);
}

// MPI_PROC_NULL stays what it is.
void nobody() {
  check::set_case("translation of MPI_PROC_NULL");
  const int ranks[] = {MPI_PROC_NULL, 0, MPI_PROC_NULL};
  int there[] = {-1, -1, -1};
  MPI_Group_translate_ranks(world, 3, ranks, world, there);
  CHECK_EQ(there[0], MPI_PROC_NULL);
  CHECK_EQ(there[1], 0);
  CHECK_EQ(there[2], MPI_PROC_NULL);
  CHECK_EQ(MPI_Group_translate_ranks(world, 0, nullptr, world, nullptr), MPI_SUCCESS);
}

// Many at once; the handles stay apart.
void many() {
  check::set_case("many groups");
  std::vector<MPI_Group> made(3000);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const int rank = int(i) % check::size;
    MPI_Group_incl(world, 1, &rank, &made[i]);
  }
  for (std::size_t i = 0; i < made.size(); i += 7) {
    CHECK(members(made[i]) == Ranks{int(i) % check::size});
  }
  for (MPI_Group& group : made) MPI_Group_free(&group);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  CHECK(members(world) == everybody());
  pairs();
  choices();
  predefined();
  nobody();
  many();
  MPI_Group self;
  MPI_Comm_group(MPI_COMM_SELF, &self);
  CHECK(members(self) == Ranks{check::rank});
  MPI_Group_free(&self);
  MPI_Group_free(&world);
  return check::finish();
}
