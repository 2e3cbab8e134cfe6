#include "shm/block_map.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "base/testing/failed_check.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

// A map and its memory.
template <std::uint32_t kUnits>
struct Map {
  alignas(8) std::byte memory[BlockMap::bytes(kUnits)] = {};
  BlockMap& operator*() { return *reinterpret_cast<BlockMap*>(memory); }
  BlockMap* operator->() { return &**this; }
};

template <std::uint32_t kUnits>
struct FreshMap : Map<kUnits> {
  FreshMap() { (*this)->construct(kUnits); }
};

TEST_CASE("the lowest block that is long enough is taken") {
  struct Row {
    const char* name;
    std::vector<std::uint32_t> used;  // units
    std::uint32_t length;
    std::optional<std::uint32_t> taken;
  };
  std::vector<std::uint32_t> every_third;
  for (std::uint32_t unit = 0; unit < 200; unit += 3) every_third.push_back(unit);
  std::vector<std::uint32_t> first_two_words;
  for (std::uint32_t unit = 0; unit < 128; ++unit) first_two_words.push_back(unit);
  const Row rows[] = {
      {"nothing is used", {}, 1, 0},
      {"all of it", {}, 200, 0},
      {"more than there is", {}, 201, std::nullopt},
      {"behind one unit", {0}, 199, 1},
      {"a hole that fits", {0, 3}, 2, 1},
      {"a hole that is too short", {0, 3}, 3, 4},
      {"over the end of a word", {60}, 70, 61},
      {"over two ends of words", {0, 61}, 130, 62},
      {"the second part is used", {0, 65}, 100, 66},
      {"a word ends with a used unit", {63}, 64, 64},
      {"whole words are used", first_two_words, 72, 128},
      {"whole words are used, and the rest is too short", first_two_words, 73, std::nullopt},
      {"every third: single ones are left", every_third, 2, 1},
      {"every third: no run of three", every_third, 3, std::nullopt},
      {"the last unit", {198}, 1, 0},
      {"up to the end", {0, 99}, 100, 100},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FreshMap<200> map;
    for (std::uint32_t unit = 0; unit < 200; ++unit) REQUIRE(map->take(1) == unit);
    for (std::uint32_t unit = 0; unit < 200; ++unit) {
      if (std::ranges::count(row.used, unit) == 0) map->give_back(unit, 1);
    }
    const auto before = static_cast<std::uint32_t>(row.used.size());
    CHECK(map->in_use() == before);
    CHECK(map->take(row.length) == row.taken);
    CHECK(map->in_use() == before + (row.taken ? row.length : 0));
  }
}

TEST_CASE("a block ends at the limit at most") {
  FreshMap<200> map;
  CHECK(map->take(10, 9) == std::nullopt);
  CHECK(map->take(10, 10) == 0);
  CHECK(map->take(10, 19) == std::nullopt);
  CHECK(map->take(180, 1000) == 10);
  CHECK(map->in_use() == 190);
}

TEST_CASE("a request that fails does not make a shorter one fail") {
  FreshMap<100> map;
  REQUIRE(map->take(90) == 0);
  for (int i = 0; i < 3; ++i) CHECK(map->take(11) == std::nullopt);
  CHECK(map->take(10) == 90);
  CHECK(map->take(1) == std::nullopt);
  map->give_back(0, 90);
  CHECK(map->take(11) == 0);
}

TEST_CASE("blocks of all lengths at all places are taken and given back whole") {
  for (std::uint32_t first = 0; first < 130; ++first) {
    for (std::uint32_t length = 1; first + length <= 200; length += 1 + length / 7) {
      FreshMap<200> map;
      if (first != 0) REQUIRE(map->take(first) == 0);
      REQUIRE(map->take(length) == first);
      REQUIRE(map->in_use() == first + length);
      map->give_back(first, length);
      REQUIRE(map->in_use() == first);
      REQUIRE(map->take(200 - first) == first);
    }
  }
}

// The owner of each unit, for comparison with the map: written after take() and before give_back(),
// so that it stays correct when the writer is killed.
struct Field {
  static constexpr std::uint32_t kUnits = 500;
  Map<kUnits> map;
  Shared<std::uint32_t> owners[kUnits];  // 0: no owner
  Shared<std::uint32_t> clashes;         // units taken that had an owner
};

TEST_CASE("giving back units that are not taken fails a check") {
  const atl::testing::ThrowsFailedChecks throws;
  FreshMap<200> map;
  REQUIRE(map->take(100) == 0);
  map->give_back(0, 70);
  CHECK_THROWS_AS(map->give_back(0, 1), atl::testing::FailedCheck);    // twice
  CHECK_THROWS_AS(map->give_back(60, 20), atl::testing::FailedCheck);  // part of the block twice
  CHECK_THROWS_AS(map->give_back(199, 1), atl::testing::FailedCheck);  // never taken
}

constexpr std::uint32_t kMostHeld = 4;  // blocks
constexpr std::uint32_t kLongest = 90;  // units: up to three words of the map

struct Block {
  std::uint32_t first;
  std::uint32_t length;
};

void mark(Field& field, const Block& block, std::uint32_t before, std::uint32_t after) {
  for (std::uint32_t unit = block.first; unit < block.first + block.length; ++unit) {
    if (field.owners[unit].exchange_acq_rel(after) != before) field.clashes.fetch_add_relaxed(1);
  }
}

// Takes and gives back blocks at random for `rounds`.
void trade(Field& field, std::uint32_t me, std::uint32_t rounds) {
  Random random(me);
  std::vector<Block> mine;
  const auto give_back = [&] {
    const Block block = mine.back();
    mine.pop_back();
    mark(field, block, me, 0);
    field.map->give_back(block.first, block.length);
  };
  for (std::uint32_t i = 0; i < rounds; ++i) {
    if (mine.size() < kMostHeld && random.below(2) == 0) {
      const std::uint32_t length = 1 + random.below(random.below(2) == 0 ? 5 : kLongest);
      if (const auto first = field.map->take(length)) {
        mine.push_back({*first, length});
        mark(field, mine.back(), 0, me);
      }
    } else if (!mine.empty()) {
      std::swap(mine[random.below(static_cast<std::uint32_t>(mine.size()))], mine.back());
      give_back();
    }
  }
  while (!mine.empty()) give_back();
}

TEST_CASE("threads never get the same unit") {
  Watchdog watchdog("threads");
  SharedObject<Field> field;
  field->map->construct(Field::kUnits);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    threads.emplace_back([&, i] { trade(*field, i, 300000); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(field->clashes.load_relaxed() == 0);
  CHECK(field->map->in_use() == 0);
}

TEST_CASE("processes never get the same unit, and a killed one leaks only its own") {
  Watchdog watchdog("a killed one");
  SharedObject<Field> field;
  field->map->construct(Field::kUnits);
  Random random(3);
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const pid_t survivor = testing::start([&] {
      trade(*field, 1, 40000);
      return 0;
    });
    const pid_t victim = testing::start([&] {
      trade(*field, 2 + i, ~0u);
      return 0;
    });
    testing::dawdle(random, 5000000);
    testing::kill_hard(victim);
    CHECK(testing::finish(victim) == -SIGKILL);
    CHECK(testing::finish(survivor) == 0);
    // The blocks that the process had, and one more if it was killed between take() and the store
    // of the owner.
    const std::uint32_t now = field->map->in_use();
    CHECK(now <= used + (kMostHeld + 1) * kLongest);
    used = now;
  }
  trade(*field, 1, 10000);
  CHECK(field->map->in_use() == used);
  CHECK(field->clashes.load_relaxed() == 0);
}

}  // namespace
}  // namespace atl::shm
