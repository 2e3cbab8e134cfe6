#include "shm/context_registry.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <signal.h>

#include <memory>
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

constexpr std::uint32_t kContexts = ContextRegistry::kContexts;

std::uint32_t number_of(ContextId id) { return ContextRegistry::number(id); }
std::uint32_t generation_of(ContextId id) { return ContextRegistry::generation(id); }

// Releases an id on behalf of one member, and frees it if that was the last member.
void release_and_free(ContextRegistry& registry, ContextId id) {
  if (registry.release(id)) registry.free(id);
}

TEST_CASE("an id is freed once") {
  const atl::testing::ThrowsFailedChecks throws;
  auto registry = std::make_unique<ContextRegistry>();
  const ContextId id = registry->take(1).value();
  release_and_free(*registry, id);
  CHECK_THROWS_AS(registry->free(id), atl::testing::FailedCheck);
}

TEST_CASE("ids are different while they are taken") {
  auto registry = std::make_unique<ContextRegistry>();
  std::set<ContextId> taken;
  for (int i = 0; i < 1000; ++i) taken.insert(registry->take(1).value());
  CHECK(taken.size() == 1000);
  CHECK(registry->in_use() == 1000);
  for (const ContextId id : taken) release_and_free(*registry, id);
  CHECK(registry->in_use() == 0);
}

TEST_CASE("an id is free when its last member released it") {
  auto registry = std::make_unique<ContextRegistry>();
  const ContextId id = registry->take(3).value();
  release_and_free(*registry, id);
  release_and_free(*registry, id);
  CHECK(registry->in_use() == 1);
  release_and_free(*registry, id);
  CHECK(registry->in_use() == 0);
}

TEST_CASE("a number that is taken again has another generation, and bit 31 stays free") {
  auto registry = std::make_unique<ContextRegistry>();
  ContextId last = registry->take(1).value();
  for (std::uint32_t i = 0; i < ContextRegistry::kGenerations + 2; ++i) {  // it wraps
    release_and_free(*registry, last);
    const ContextId id = registry->take(1).value();
    REQUIRE(number_of(id) == number_of(last));
    REQUIRE(generation_of(id) == (generation_of(last) + 1) % ContextRegistry::kGenerations);
    REQUIRE(id <= 0x7fffffff);
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
  release_and_free(*registry, id);
  const auto again = registry->take(1);
  REQUIRE(again.has_value());
  CHECK(number_of(*again) == 12345);
  CHECK_FALSE(registry->take(1).has_value());
}

TEST_CASE("the lowest free number is taken") {
  auto registry = std::make_unique<ContextRegistry>();
  std::vector<ContextId> ids;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    ids.push_back(registry->take(1).value());
    REQUIRE(number_of(ids.back()) == i);
  }
  for (const std::uint32_t number : {19999u, 12345u, 64u, 63u, 4096u, 4095u, 0u}) {
    release_and_free(*registry, ids[number]);
  }
  for (const std::uint32_t number : {0u, 63u, 64u, 4095u, 4096u, 12345u, 19999u, 20000u}) {
    CHECK(number_of(registry->take(1).value()) == number);
  }
}

// Whole words of the map are filled and emptied while other threads take numbers.
TEST_CASE("a word that was full is found again when a number in it is free") {
  Watchdog watchdog("a word that was full");
  auto registry = std::make_unique<ContextRegistry>();
  const auto fill_and_empty = [&] {
    for (int round = 0; round < 20000; ++round) {
      std::vector<ContextId> ids;
      for (int i = 0; i < 40; ++i) ids.push_back(registry->take(1).value());
      for (const ContextId id : ids) release_and_free(*registry, id);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(fill_and_empty);
  for (std::thread& thread : threads) thread.join();
  CHECK(registry->in_use() == 0);
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(number_of(registry->take(1).value()) == i);
}

// The owner of each number, for comparison with the registry: written after take() and before
// release(), so that it stays correct when the writer is killed.
struct Buffer {
  ContextRegistry registry;
  Shared<std::uint32_t> owners[kContexts];  // 0: no owner
  Shared<std::uint32_t> clashes;            // numbers taken that had an owner
};

constexpr std::uint32_t kMostHeld = 100;

// Takes and releases ids at random for `rounds`.
void trade(Buffer& buffer, std::uint32_t me, std::uint32_t rounds) {
  Random random(me);
  std::vector<ContextId> mine;
  const auto give_back = [&] {
    const ContextId id = mine.back();
    mine.pop_back();
    if (buffer.owners[number_of(id)].exchange_acq_rel(0) != me) buffer.clashes.fetch_add_relaxed(1);
    release_and_free(buffer.registry, id);
  };
  for (std::uint32_t i = 0; i < rounds; ++i) {
    if (mine.size() < kMostHeld && random.below(2) == 0) {
      const ContextId id = buffer.registry.take(1).value();
      if (buffer.owners[number_of(id)].exchange_acq_rel(me) != 0)
        buffer.clashes.fetch_add_relaxed(1);
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
  auto buffer = std::make_unique<Buffer>();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    threads.emplace_back([&, i] { trade(*buffer, i, 2000000); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(buffer->clashes.load_relaxed() == 0);
  CHECK(buffer->registry.in_use() == 0);
}

TEST_CASE("the last of several members frees the id, whoever it is") {
  Watchdog watchdog("the last of several members");
  auto registry = std::make_unique<ContextRegistry>();
  constexpr std::uint32_t kIds = 5000;
  std::vector<ContextId> ids;
  for (std::uint32_t i = 0; i < kIds; ++i) ids.push_back(registry->take(2).value());
  const auto release_all = [&] {
    for (const ContextId id : ids) release_and_free(*registry, id);
  };
  std::thread other(release_all);
  release_all();
  other.join();
  CHECK(registry->in_use() == 0);
}

TEST_CASE("processes never get the same id, and a killed one leaks only its own") {
  Watchdog watchdog("a killed one");
  SharedObject<Buffer> buffer;
  Random random(3);
  constexpr std::uint32_t kVictims = 40;
  for (std::uint32_t i = 0; i < kVictims; ++i) {
    const pid_t survivor = testing::start([&] {
      trade(*buffer, 1, 40000);
      return 0;
    });
    const pid_t victim = testing::start([&] {
      trade(*buffer, 2 + i, ~0u);
      return 0;
    });
    testing::dawdle(random, 5000000);
    testing::kill_hard(victim);
    CHECK(testing::finish(victim) == -SIGKILL);
    CHECK(testing::finish(survivor) == 0);
  }
  // One more for each process that was killed between take() or release() and the store of the
  // owner.
  CHECK(buffer->registry.in_use() <= (kMostHeld + 1) * kVictims);
  trade(*buffer, 1, 10000);
  CHECK(buffer->clashes.load_relaxed() == 0);
}

TEST_CASE("members may release an id before share()") {
  auto registry = std::make_unique<ContextRegistry>();
  const ContextId id = registry->take(0).value();
  release_and_free(*registry, id);
  release_and_free(*registry, id);
  CHECK(registry->in_use() == 1);
  registry->share(id, 3);
  CHECK(registry->in_use() == 1);
  release_and_free(*registry, id);
  CHECK(registry->in_use() == 0);
}

// One process takes ids, passes each to the other and then calls share() with two members; the
// other process releases the ids, sometimes before share().
struct Pair {
  Shared<std::uint32_t> passed;  // id + 1; 0: the other process has read it
};

struct SharedRegistry {
  ContextRegistry registry;
  Shared<std::uint32_t> holders[kContexts];  // members that have yet to release: 2, 1, 0
  Shared<std::uint32_t> clashes;
  Pair pairs[2];
};

void release_and_free(SharedRegistry& shared, ContextId id) {
  // At most 2 at any time, unless two pairs of processes got the same number.
  if (shared.holders[number_of(id)].fetch_add_acq_rel(-1u) - 1 > 1) {
    shared.clashes.fetch_add_relaxed(1);
  }
  release_and_free(shared.registry, id);
}

void take_and_pass(SharedRegistry& shared, Pair& pair, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const ContextId id = shared.registry.take(0).value();
    if (shared.holders[number_of(id)].exchange_acq_rel(2) != 0) {
      shared.clashes.fetch_add_relaxed(1);
    }
    pair.passed.store_release(id + 1);
    if (i % 2 != 0) {
      while (pair.passed.load_acquire() != 0) sched_yield();
    }
    shared.registry.share(id, 2);
    release_and_free(shared, id);
    while (pair.passed.load_acquire() != 0) sched_yield();
  }
}

void receive(SharedRegistry& shared, Pair& pair, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    std::uint32_t passed = 0;
    while ((passed = pair.passed.load_acquire()) == 0) sched_yield();
    pair.passed.store_release(0);
    release_and_free(shared, passed - 1);
  }
}

TEST_CASE("no id is taken twice, whichever of two members is killed at whatever time") {
  Watchdog watchdog("two members");
  SharedObject<SharedRegistry> shared;
  Random random(11);
  constexpr std::uint32_t kVictims = 30, kRounds = 3000;
  for (std::uint32_t i = 0; i < kVictims; ++i) {
    const auto start = [&](auto role, int pair, std::uint32_t rounds) {
      return testing::start([&shared, role, pair, rounds] {
        role(*shared, shared->pairs[pair], rounds);
        return 0;
      });
    };
    shared->pairs[1].passed.store_relaxed(0);
    const pid_t survivors[] = {start(take_and_pass, 0, kRounds), start(receive, 0, kRounds)};
    const pid_t victims[] = {start(take_and_pass, 1, ~0u), start(receive, 1, ~0u)};
    testing::dawdle(random, 5000000);
    for (const int which : {int(i % 2), 1 - int(i % 2)}) {
      testing::kill_hard(victims[which]);
      CHECK(testing::finish(victims[which]) == -SIGKILL);
    }
    for (const pid_t survivor : survivors) CHECK(testing::finish(survivor) == 0);
  }
  CHECK(shared->clashes.load_relaxed() == 0);
  CHECK(shared->registry.in_use() <= 2 * kVictims);  // at most one per killed process
}

}  // namespace
}  // namespace atl::shm
