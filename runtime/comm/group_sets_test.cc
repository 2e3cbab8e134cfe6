// Operations on groups compared with the same on lists of numbers.
#include "runtime/comm/group.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace atl {
namespace {

using World = std::vector<std::uint32_t>;  // ranks in the job
using Ranks = std::vector<int>;

constexpr int kMost = std::numeric_limits<int>::max(), kLeast = std::numeric_limits<int>::min();

Group group_of(const World& world) { return {RankMap::list(world), nullptr}; }

// The members of the group that a call makes.
template <class Call, class... Arguments>
World made_by(Call call, Arguments&&... arguments) {
  MPI_Group made = MPI_GROUP_NULL;
  const Error error = call(arguments..., &made);
  REQUIRE_MESSAGE(!error, error.text());
  World world;
  const RankMap& members = groups.find(made)->members;
  for (int rank = 0; rank < members.size(); ++rank) world.push_back(members.world_rank(rank));
  CHECK((made == MPI_GROUP_EMPTY) == world.empty());
  REQUIRE_FALSE(group::free(&made));
  return world;
}

// The error of a call, which makes no group.
template <class Call, class... Arguments>
Error refused_by(Call call, Arguments&&... arguments) {
  MPI_Group made = MPI_GROUP_NULL;
  const Error error = call(arguments..., &made);
  CHECK(made == MPI_GROUP_NULL);
  return error;
}

bool has(const World& world, std::uint32_t one) { return std::ranges::count(world, one) != 0; }

// Some of `world` in any order.
World chosen(World world, std::mt19937& random) {
  std::ranges::shuffle(world, random);
  world.resize(random() % (world.size() + 1));
  return world;
}

TEST_CASE("sets of groups have the members and the order of the standard") {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const World one = chosen({0, 1, 2, 3, 4, 5, 6}, random);
    const World other = chosen({0, 1, 2, 3, 4, 5, 6}, random);
    World both, either = one, only;
    for (const std::uint32_t world : one) (has(other, world) ? both : only).push_back(world);
    for (const std::uint32_t world : other) {
      if (!has(one, world)) either.push_back(world);
    }
    Group group1 = group_of(one), group2 = group_of(other);
    REQUIRE(made_by(group::make_union, group1, group2) == either);
    REQUIRE(made_by(group::intersection, group1, group2) == both);
    REQUIRE(made_by(group::difference, group1, group2) == only);
  }
}

TEST_CASE("groups are identical, similar or unequal") {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const World one = chosen({1, 2, 3}, random), other = chosen({1, 2, 3}, random);
    const bool similar = std::ranges::is_permutation(one, other);
    Group group1 = group_of(one), group2 = group_of(other);
    int result = -1;
    REQUIRE_FALSE(group::compare(group1, group2, &result));
    REQUIRE(result == (one == other ? MPI_IDENT : similar ? MPI_SIMILAR : MPI_UNEQUAL));
  }
}

TEST_CASE("ranks translate to those of the same processes, and MPI_PROC_NULL to itself") {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const World one = chosen({0, 1, 2, 3, 4, 5, 6}, random);
    const World other = chosen({0, 1, 2, 3, 4, 5, 6}, random);
    Ranks ranks = {MPI_PROC_NULL}, expected = {MPI_PROC_NULL};
    for (int rank = static_cast<int>(one.size()); rank-- > 0;) {
      ranks.push_back(rank);
      const auto found = std::ranges::find(other, one[static_cast<std::size_t>(rank)]);
      const auto place = static_cast<int>(found - other.begin());
      expected.push_back(found == other.end() ? MPI_UNDEFINED : place);
    }
    Group group1 = group_of(one), group2 = group_of(other);
    const auto n = static_cast<int>(ranks.size());
    Ranks got(ranks.size());
    REQUIRE_FALSE(group::translate_ranks(group1, n, ranks.data(), group2, got.data()));
    REQUIRE(got == expected);
  }
  Group group1 = group_of({5, 6}), group2 = group_of({6});
  for (const int wrong : {2, -1, kMost, kLeast, int{MPI_UNDEFINED}}) {
    const Ranks ranks = {1, wrong};
    Ranks got = {-7, -7};
    CHECK(group::translate_ranks(group1, 2, ranks.data(), group2, got.data()).error_class() ==
          MPI_ERR_RANK);
    CHECK(got == Ranks{-7, -7});
  }
}

TEST_CASE("listed ranks are included in the order of the list, or excluded") {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const World world = chosen({10, 11, 12, 13, 14, 15}, random);
    World all(world.size()), included, excluded;
    std::iota(all.begin(), all.end(), 0u);
    const World picked = chosen(all, random);
    for (const std::uint32_t rank : picked) included.push_back(world[rank]);
    for (const std::uint32_t rank : all) {
      if (!has(picked, rank)) excluded.push_back(world[rank]);
    }
    const Ranks ranks(picked.begin(), picked.end());
    Group group = group_of(world);
    const auto n = static_cast<int>(ranks.size());
    REQUIRE(made_by(group::incl, group, n, ranks.data()) == included);
    REQUIRE(made_by(group::excl, group, n, ranks.data()) == excluded);
  }
  Group group = group_of({5, 6, 7});
  for (const auto call : {group::incl, group::excl}) {
    for (const int wrong : {3, -1, kMost, kLeast, int{MPI_PROC_NULL}}) {
      const Error error = refused_by(call, group, 2, Ranks{2, wrong}.data());
      CHECK(error.error_class() == MPI_ERR_RANK);
      CHECK(error.text() == "ranks[1]=" + std::to_string(wrong) + " is outside the group (size 3)");
    }
    CHECK(refused_by(call, group, 3, Ranks{1, 0, 1}.data()).text() ==
          "ranks[2]=1 is there twice (size 3)");
  }
}

// Appends what a range means in a group of `size`; the class of the error.
int expand(const int (&range)[3], int size, Ranks& ranks) {
  const auto& [first, last, stride] = range;
  if (stride == 0 || (first < last && stride < 0) || (first > last && stride > 0)) {
    return MPI_ERR_ARG;
  }
  for (int rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
    if (rank < 0 || rank >= size || std::ranges::count(ranks, rank) != 0) return MPI_ERR_RANK;
    ranks.push_back(rank);
  }
  return MPI_SUCCESS;
}

TEST_CASE("a range means the ranks that a loop over it visits") {
  std::mt19937 random(5);
  const auto draw = [&](int from, int to) {
    return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
  };
  int valid = 0;
  Group group = group_of({20, 27, 21, 26, 22, 25, 23, 24});
  for (int i = 0; i < 3000; ++i) {
    int ranges[3][3];
    Ranks ranks;
    int n = draw(0, 3), wrong = MPI_SUCCESS;
    for (int k = 0; k < n && wrong == MPI_SUCCESS; ++k) {
      for (int& number : ranges[k]) number = draw(-1, 8);
      if (draw(0, 1) == 1) ranges[k][2] = -ranges[k][2];
      wrong = expand(ranges[k], 8, ranks);
      if (wrong != MPI_SUCCESS) n = k + 1;
    }
    for (const bool include : {true, false}) {
      const auto by_range = include ? group::range_incl : group::range_excl;
      const auto by_list = include ? group::incl : group::excl;
      if (wrong != MPI_SUCCESS) {
        REQUIRE(refused_by(by_range, group, n, ranges).error_class() == wrong);
      } else {
        ++valid;
        REQUIRE(made_by(by_range, group, n, ranges) ==
                made_by(by_list, group, static_cast<int>(ranks.size()), ranks.data()));
      }
    }
  }
  CHECK(valid > 1000);
}

TEST_CASE("ranges may have the limits of int") {
  Group group = group_of({5, 6, 7});
  const auto text = [&](int first, int last, int stride) {
    int ranges[][3] = {{0, 0, 0}, {first, last, stride}};
    ranges[0][2] = 1;
    return refused_by(group::range_incl, group, 2, ranges).text();
  };
  CHECK(text(kLeast, kMost, 1).ends_with(": rank -2147483648 is outside the group"));
  CHECK(text(1, kMost, 1).ends_with(": rank 3 is outside the group"));
  CHECK(text(1, kLeast, kLeast).ends_with(": rank -2147483647 is outside the group"));
  CHECK(text(2, kMost, 2147483645) ==
        "ranges[1]={2, 2147483647, 2147483645}: rank 2147483647 is outside the group");
  CHECK(text(1, 1, 0) == "ranges[1]={1, 1, 0}: the stride is 0");
  CHECK(text(1, 2, kLeast).ends_with(": the stride leads away from the last rank"));
  int valid[][3] = {{1, kMost, kMost}, {2, kLeast + 3, kLeast}};
  CHECK(made_by(group::range_incl, group, 2, valid) == World{6, 7});
}

TEST_CASE("groups of different sessions are not mixed, but an empty group belongs to none") {
  const auto session = std::make_shared<SessionState>();
  Group one{RankMap::list({1, 2}), session}, same{RankMap::list({2, 3}), session};
  Group other{RankMap::list({2}), std::make_shared<SessionState>()}, world = group_of({2});
  Group& empty = *groups.find(MPI_GROUP_EMPTY);
  const auto in_session = [&](auto call, auto&&... arguments) {
    MPI_Group made = MPI_GROUP_NULL;
    REQUIRE_FALSE(call(arguments..., &made));
    const bool found = groups.find(made)->session_state == session;
    REQUIRE_FALSE(group::free(&made));
    return found;
  };
  for (const auto call : {group::make_union, group::intersection, group::difference}) {
    CHECK(refused_by(call, one, other).error_class() == MPI_ERR_GROUP);
    CHECK(refused_by(call, one, world).error_class() == MPI_ERR_GROUP);
    CHECK(refused_by(call, world, one).error_class() == MPI_ERR_GROUP);
    CHECK(in_session(call, one, same));
  }
  const int first = 0;
  CHECK(in_session(group::incl, one, 1, &first));
  CHECK(in_session(group::excl, one, 1, &first));
  CHECK(in_session(group::make_union, one, empty));
  CHECK(in_session(group::make_union, empty, one));
  CHECK(in_session(group::difference, one, empty));
}

}  // namespace
}  // namespace atl
