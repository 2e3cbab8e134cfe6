#include "shm/context_registry.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "shm/testing/process.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

constexpr std::uint32_t kContexts = ContextRegistry::kContexts;

std::uint32_t number_of(ContextId id) { return id & 0xffff; }
std::uint32_t generation_of(ContextId id) { return id >> 16; }

TEST_CASE("ids are different while they are taken") {
  auto registry = std::make_unique<ContextRegistry>();
  std::set<ContextId> taken;
  for (int i = 0; i < 1000; ++i) taken.insert(registry->take(1).value());
  CHECK(taken.size() == 1000);
  CHECK(registry->in_use() == 1000);
  for (const ContextId id : taken) registry->release(id);
  CHECK(registry->in_use() == 0);
}

TEST_CASE("an id is free when its last member released it") {
  auto registry = std::make_unique<ContextRegistry>();
  const ContextId id = registry->take(3).value();
  registry->release(id);
  registry->release(id);
  CHECK(registry->in_use() == 1);
  registry->release(id);
  CHECK(registry->in_use() == 0);
}

TEST_CASE("a number that is taken again has another generation, and bit 31 stays free") {
  auto registry = std::make_unique<ContextRegistry>();
  ContextId last = registry->take(1).value();
  for (std::uint32_t i = 0; i < 0x8000 + 2; ++i) {  // the generation wraps
    registry->release(last);
    const ContextId id = registry->take(1).value();
    REQUIRE(number_of(id) == number_of(last));
    REQUIRE(generation_of(id) == ((generation_of(last) + 1) & 0x7fff));
    last = id;
  }
}

TEST_CASE("when all are taken there is none, until one is released") {
  auto registry = std::make_unique<ContextRegistry>();
  std::set<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < kContexts; ++i)
    numbers.insert(number_of(registry->take(1).value()));
  CHECK(numbers.size() == kContexts);
  CHECK_FALSE(registry->take(1).has_value());
  const ContextId id = 12345;
  registry->release(id);
  const auto again = registry->take(1);
  REQUIRE(again.has_value());
  CHECK(number_of(*again) == 12345);
  CHECK_FALSE(registry->take(1).has_value());
}

// Who has which number, as a second opinion on the registry: written after
// take() and before release(), so that it stays true when its writer is killed.
struct Arena {
  ContextRegistry registry;
  Shared<std::uint32_t> owners[kContexts];  // 0: nobody
  Shared<std::uint32_t> clashes;            // numbers handed out that somebody had
};

constexpr std::uint32_t kMostHeld = 100;

// Takes and releases ids at random for `rounds`.
void trade(Arena& arena, std::uint32_t me, std::uint32_t rounds) {
  Random random(me);
  std::vector<ContextId> mine;
  const auto give_back = [&] {
    const ContextId id = mine.back();
    mine.pop_back();
    if (arena.owners[number_of(id)].exchange_acq_rel(0) != me) arena.clashes.fetch_add_relaxed(1);
    arena.registry.release(id);
  };
  for (std::uint32_t i = 0; i < rounds; ++i) {
    if (mine.size() < kMostHeld && random.below(2) == 0) {
      const ContextId id = arena.registry.take(1).value();
      if (arena.owners[number_of(id)].exchange_acq_rel(me) != 0) arena.clashes.fetch_add_relaxed(1);
      mine.push_back(id);
    } else if (!mine.empty()) {
      std::swap(mine[random.below(static_cast<std::uint32_t>(mine.size()))], mine.back());
      give_back();
    }
  }
  while (!mine.empty()) give_back();
}

TEST_CASE("threads never get the same id") {
  Watchdog watchdog("threads");
  auto arena = std::make_unique<Arena>();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    threads.emplace_back([&, i] { trade(*arena, i, 2000000); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(arena->clashes.load_relaxed() == 0);
  CHECK(arena->registry.in_use() == 0);
}

TEST_CASE("the last of several members frees the id, whoever it is") {
  Watchdog watchdog("the last of several members");
  auto registry = std::make_unique<ContextRegistry>();
  constexpr std::uint32_t kIds = 5000;
  std::vector<ContextId> ids;
  for (std::uint32_t i = 0; i < kIds; ++i) ids.push_back(registry->take(2).value());
  const auto release_all = [&] {
    for (const ContextId id : ids) registry->release(id);
  };
  std::thread other(release_all);
  release_all();
  other.join();
  CHECK(registry->in_use() == 0);
}

TEST_CASE("processes never get the same id, and a killed one costs only what it had") {
  Watchdog watchdog("a killed one");
  SharedObject<Arena> arena;
  Random random(3);
  constexpr std::uint32_t kVictims = 40;
  for (std::uint32_t i = 0; i < kVictims; ++i) {
    const pid_t survivor = testing::start([&] {
      trade(*arena, 1, 40000);
      return 0;
    });
    const pid_t victim = testing::start([&] {
      trade(*arena, 2 + i, ~0u);
      return 0;
    });
    testing::dawdle(random, 5000000);
    testing::kill_hard(victim);
    CHECK(testing::finish(victim) == -SIGKILL);
    CHECK(testing::finish(survivor) == 0);
  }
  // One more each, killed between taking or giving back and writing it down.
  CHECK(arena->registry.in_use() <= (kMostHeld + 1) * kVictims);
  trade(*arena, 1, 10000);
  CHECK(arena->clashes.load_relaxed() == 0);
}

}  // namespace
}  // namespace atl::shm
