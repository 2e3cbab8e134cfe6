#include "runtime/comm/members.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <numeric>

namespace atl {
namespace {

using World = std::vector<std::uint32_t>;

World world_of(const Members& members) {
  World world;
  for (int rank = 0; rank < members.size(); ++rank) world.push_back(members.world_rank(rank));
  return world;
}

World counting(std::uint32_t size) {
  World world(size);
  std::iota(world.begin(), world.end(), 0u);
  return world;
}

struct Row {
  World world;
  bool is_range;
};

TEST_CASE("a set has the members it was made of, in their order") {
  const Row rows[] = {
      {{}, true},           {{7}, true},           {{0, 1}, true},        {{5, 2}, true},
      {{0, 1, 2, 3}, true}, {{9, 6, 3, 0}, true},  {{1, 4, 7}, true},     {counting(1000), true},
      {{0, 1, 3}, false},   {{3, 2, 0, 1}, false}, {{0, 2, 1, 3}, false},
  };
  for (const Row& row : rows) {
    const Members members = Members::list(row.world);
    CHECK(world_of(members) == row.world);
    CHECK(members.is_range() == row.is_range);
    const RankFinder finder(members);
    for (std::uint32_t world = 0; world < 1010; ++world) {
      int expected = Members::kNobody;
      for (std::size_t i = 0; i < row.world.size(); ++i) {
        if (row.world[i] == world) expected = static_cast<int>(i);
      }
      REQUIRE(members.find(world) == expected);
      REQUIRE(finder.find(world) == expected);
    }
  }
}

TEST_CASE("comparisons") {
  const Members up = Members::list({2, 4, 6}), down = Members::list({6, 4, 2});
  const Members mixed = Members::list({4, 2, 6}), other = Members::list({2, 4, 7});
  CHECK(up == Members::range(2, 2, 3));
  CHECK(up.hash() == Members::range(2, 2, 3).hash());
  CHECK(up != down);
  CHECK(up.same_set(down));
  CHECK(up.same_set(mixed));
  CHECK(mixed.same_set(down));
  CHECK_FALSE(up.same_set(other));
  CHECK_FALSE(other.same_set(mixed));
  CHECK_FALSE(up.same_set(Members::list({2, 4})));
  CHECK(Members::list({5}) == Members::range(5, -3, 1));  // one alone has no stride
  CHECK(Members::list({5}).hash() == Members::range(5, -3, 1).hash());
  CHECK(Members() == Members::list({}));
  CHECK(up.hash() != mixed.hash());
}

TEST_CASE("sets that are alike share one list, which ends with the last of them") {
  World world = counting(500);
  std::swap(world[100], world[200]);
  const std::size_t before = Members::lists();
  {
    std::vector<Members> many;
    for (int i = 0; i < 5000; ++i) many.push_back(Members::list(world));
    CHECK(Members::lists() == before + 1);
    CHECK(many.front() == many.back());
    std::swap(world[0], world[1]);
    many.push_back(Members::list(world));
    CHECK(Members::lists() == before + 2);
    CHECK(many.front() != many.back());
  }
  CHECK(Members::lists() == before);
  for (int i = 0; i < 5000; ++i) Members::list(counting(300));  // ranges need none
  CHECK(Members::lists() == before);
}

}  // namespace
}  // namespace atl
