#include "runtime/p2p/source_table.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <map>
#include <random>

namespace atl::p2p {
namespace {

int alive = 0;

struct Counted {
  explicit Counted(std::int32_t of) : rank(of) { ++alive; }
  ~Counted() { --alive; }
  std::int32_t rank;
};

TEST_CASE("a source exists only after get(), whatever its rank") {
  SourceTable<Counted> table;
  for (const std::int32_t rank : {0, 1, 1023, 1 << 30, -1, -2147483647}) {
    CHECK(table.find(rank) == nullptr);
  }
}

TEST_CASE("there are as many sources as get() made, not up to the highest rank") {
  SourceTable<Counted> table;
  table.get(1000000);
  table.get(5);
  CHECK(alive == 2);
  CHECK(table.find(1000000)->rank == 1000000);
  CHECK(table.find(6) == nullptr);
}

TEST_CASE("the address of a source never changes") {
  std::mt19937 random(7);
  // All ranks, a few far apart, and some that collide in a table of any size.
  for (const std::uint32_t step : {1u, 37u, 1024u}) {
    SourceTable<Counted> table;
    std::map<std::int32_t, Counted*> known;
    for (int i = 0; i < 2000; ++i) {
      const auto rank = static_cast<std::int32_t>(random() % 1000 * step);
      Counted* const found = table.find(rank);
      REQUIRE(found == (known.contains(rank) ? known[rank] : nullptr));
      known[rank] = &table.get(rank);
      REQUIRE(known[rank]->rank == rank);
      REQUIRE((found == nullptr || found == known[rank]));
    }
    for (const auto& [rank, source] : known) REQUIRE(table.find(rank) == source);
    CHECK(alive == static_cast<int>(known.size()));
  }
  CHECK(alive == 0);
}

}  // namespace
}  // namespace atl::p2p
