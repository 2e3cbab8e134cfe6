#include "runtime/comm/rank_map.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <numeric>

namespace atl {
namespace {

using World = std::vector<std::uint32_t>;

World world_of(const RankMap& members) {
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
    const RankMap members = RankMap::list(row.world);
    CHECK(world_of(members) == row.world);
    CHECK(members.is_range() == row.is_range);
    const RankFinder finder(members);
    for (std::uint32_t world = 0; world < 1010; ++world) {
      int expected = RankMap::kNobody;
      for (std::size_t i = 0; i < row.world.size(); ++i) {
        if (row.world[i] == world) expected = static_cast<int>(i);
      }
      REQUIRE(members.find(world) == expected);
      REQUIRE(finder.find(world) == expected);
    }
  }
}

TEST_CASE("comparisons") {
  const RankMap up = RankMap::list({2, 4, 6}), down = RankMap::list({6, 4, 2});
  const RankMap mixed = RankMap::list({4, 2, 6}), other = RankMap::list({2, 4, 7});
  CHECK(up == RankMap::range(2, 2, 3));
  CHECK(up.hash() == RankMap::range(2, 2, 3).hash());
  CHECK(up != down);
  CHECK(up.same_set(down));
  CHECK(up.same_set(mixed));
  CHECK(mixed.same_set(down));
  CHECK_FALSE(up.same_set(other));
  CHECK_FALSE(other.same_set(mixed));
  CHECK_FALSE(up.same_set(RankMap::list({2, 4})));
  CHECK(RankMap::list({5}) == RankMap::range(5, -3, 1));  // a single rank has no stride
  CHECK(RankMap::list({5}).hash() == RankMap::range(5, -3, 1).hash());
  CHECK(RankMap() == RankMap::list({}));
  CHECK(up.hash() != mixed.hash());
}

TEST_CASE("equal sets share one list, which is freed with the last of them") {
  World world = counting(500);
  std::swap(world[100], world[200]);
  const std::size_t before = RankMap::lists();
  {
    std::vector<RankMap> many;
    for (int i = 0; i < 5000; ++i) many.push_back(RankMap::list(world));
    CHECK(RankMap::lists() == before + 1);
    CHECK(many.front() == many.back());
    std::swap(world[0], world[1]);
    many.push_back(RankMap::list(world));
    CHECK(RankMap::lists() == before + 2);
    CHECK(many.front() != many.back());
  }
  CHECK(RankMap::lists() == before);
  for (int i = 0; i < 5000; ++i) RankMap::list(counting(300));  // ranges need none
  CHECK(RankMap::lists() == before);
}

}  // namespace
}  // namespace atl
