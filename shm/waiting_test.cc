#include "shm/waiting.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

constexpr WaitPolicy kSleepAtOnce{.spin_ticks = 0, .yields = 0, .sleeps = true};
constexpr WaitPolicy kPollOnly{.spin_ticks = ~0ull, .yields = 0, .sleeps = false};

const auto nothing = [] {};

// The events of a wait, one letter each: q (fast) and f (complete) for polls, b and a for before
// and after a sleep.
struct Diary {
  Doorbell bell{};
  std::string text;

  // Waits until step number `done_at`; the steps before it return `result`.
  void wait(const WaitPolicy& policy, std::size_t done_at, Step result = Step::idle) {
    std::size_t steps = 0;
    wait_until(
        bell, FenceMode::symmetric, policy,
        [&](PollMode mode) {
          text += mode == PollMode::fast ? 'q' : 'f';
          return ++steps == done_at ? Step::done : result;
        },
        [&] {
          text += 'b';
          bell.ring();  // a ring between the last poll and the sleep
        },
        [&] { text += 'a'; });
  }
};

TEST_CASE("a condition that is true at once costs one poll") {
  Diary diary;
  diary.wait(kSleepAtOnce, 1);
  CHECK(diary.text == "q");
}

TEST_CASE("work found after the announcement withdraws it") {
  Diary diary;
  diary.wait(kSleepAtOnce, 2);
  CHECK(diary.text == "qf");
  CHECK_FALSE(diary.bell.announced());
}

TEST_CASE("a rank whose threads share a doorbell does not withdraw its announcement") {
  Diary diary;
  diary.wait({.spin_ticks = 0, .yields = 0, .sleeps = true, .shared_bell = true}, 2);
  CHECK(diary.text == "qf");
  CHECK(diary.bell.announced());
}

TEST_CASE("before_sleep and after_sleep enclose a sleep, and polls follow it") {
  Diary diary;
  diary.wait(kSleepAtOnce, 5);
  CHECK(diary.text == "qfbaqfbaq");
  CHECK_FALSE(diary.bell.announced());
}

TEST_CASE("a rank yields as often as its policy says before it sleeps") {
  Diary diary;
  diary.wait({.spin_ticks = 0, .yields = 3, .sleeps = true}, 7);
  CHECK(diary.text == "qqqqfbaqq");
}

TEST_CASE("after progress the wait starts again") {
  Diary diary;
  diary.wait(kSleepAtOnce, 100, Step::worked);
  CHECK(diary.text == std::string(100, 'q'));
}

TEST_CASE("a policy that never sleeps never announces") {
  Diary diary;
  diary.wait({.spin_ticks = 0, .yields = 0, .sleeps = false}, 1000);
  CHECK(diary.text == std::string(1000, 'q'));
}

TEST_CASE("a rank spins before it yields, and stops spinning") {
  Watchdog watchdog("spinning");
  Diary diary;
  // Only fast polls until the spin time is over; then one yield and the sleep.
  std::size_t quick = 0;
  const std::uint64_t start = ticks();
  std::uint64_t end = 0;
  wait_until(
      diary.bell, FenceMode::symmetric, {.spin_ticks = 2000000, .yields = 1, .sleeps = true},
      [&](PollMode mode) {
        if (mode == PollMode::complete) return Step::done;
        end = ticks();
        ++quick;
        return Step::idle;
      },
      nothing, nothing);
  CHECK(end - start >= 2000000);
  CHECK(quick > 16);
}

// Two sides send a number back and forth.
struct Table {
  struct alignas(kCacheLine) Side {
    Doorbell bell;
    alignas(kCacheLine) Shared<std::uint32_t> ball;
  };
  Side sides[2];
};

// `most_delay`: most iterations of an empty loop before a send.
void play(Table& table, int me, FenceMode fence, const WaitPolicy& policy, std::uint32_t rounds,
          std::uint32_t most_delay) {
  constexpr std::uint32_t kFarBytes = 2u << 20;  // more than the nearest caches hold
  std::vector<char> far_memory(kFarBytes);
  Random random(static_cast<std::uint64_t>(me));
  Table::Side& mine = table.sides[me];
  Table::Side& theirs = table.sides[1 - me];
  const auto wait_for = [&](std::uint32_t round) {
    const auto step = [&](PollMode) {
      return mine.ball.load_acquire() >= round ? Step::done : Step::idle;
    };
    wait_until(mine.bell, fence, policy, step, nothing, nothing);
  };
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (me == 1) wait_for(round);
    testing::dawdle(random, most_delay);
    // With the doorbell in the cache and slow stores before the send, a missing fence lets the load
    // of the doorbell overtake the store of the number.
    (void)theirs.bell.announced();
    for (std::uint32_t i = random.below(24); i > 0; --i) far_memory[random.below(kFarBytes)] = 1;
    theirs.ball.store_release(round);  // pairs with the load in wait_for()
    waker_fence(fence);
    theirs.bell.ring();
    if (me == 0) wait_for(round);
  }
}

std::vector<FenceMode> fence_modes() {
  std::vector<FenceMode> modes{FenceMode::symmetric};
  if (membarrier_works() && register_for_membarrier()) modes.push_back(FenceMode::asymmetric);
  return modes;
}

// How the two sides wait, and how long they may delay a send.
struct Game {
  const char* name;
  WaitPolicy policies[2];
  std::uint32_t rounds;
  std::uint32_t most_delay;
};
const Game kGames[] = {
    // One side replies at once, while the other is about to sleep.
    {"one polls", {kSleepAtOnce, kPollOnly}, 50000, 60},
    {"both sleep", {kSleepAtOnce, kSleepAtOnce}, 2000, 10000},
    {"own cores", {WaitPolicy::own_core(), WaitPolicy::own_core()}, 2000, 10000},
    {"shared cores", {WaitPolicy::shared_core(), WaitPolicy::shared_core()}, 2000, 10000},
};

TEST_CASE("no wake-up is lost between two threads") {
  for (const FenceMode fence : fence_modes()) {
    for (const Game& game : kGames) {
      Watchdog watchdog(game.name);
      auto table = std::make_unique<Table>();
      std::thread partner(
          [&] { play(*table, 1, fence, game.policies[1], game.rounds, game.most_delay); });
      play(*table, 0, fence, game.policies[0], game.rounds, game.most_delay);
      partner.join();
    }
  }
}

TEST_CASE("no wake-up is lost between two processes") {
  for (const FenceMode fence : fence_modes()) {
    for (const Game& game : kGames) {
      Watchdog watchdog(game.name);
      SharedObject<Table> table;
      const pid_t partner = testing::start([&] {
        if (fence == FenceMode::asymmetric && !register_for_membarrier()) return 1;
        play(*table, 1, fence, game.policies[1], game.rounds, game.most_delay);
        return 0;
      });
      play(*table, 0, fence, game.policies[0], game.rounds, game.most_delay);
      CHECK(testing::finish(partner) == 0);
    }
  }
}

TEST_CASE("no wake-up is lost between threads that share a doorbell") {
  Watchdog watchdog("shared bell");
  constexpr std::uint32_t kSleepers = 3;
  constexpr std::uint32_t kRounds = 5000;
  Doorbell bell{};
  Shared<std::uint32_t> published{};
  std::array<Shared<std::uint32_t>, kSleepers> seen{};
  WaitPolicy policy = kSleepAtOnce;
  policy.shared_bell = true;
  std::vector<std::thread> sleepers;
  for (std::uint32_t i = 0; i < kSleepers; ++i) {
    sleepers.emplace_back([&, i] {
      for (std::uint32_t round = 1; round <= kRounds; ++round) {
        const auto step = [&](PollMode) {
          return published.load_acquire() >= round ? Step::done : Step::idle;
        };
        wait_until(bell, FenceMode::symmetric, policy, step, nothing, nothing);
        seen[i].store_release(round);
      }
    });
  }
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    published.store_release(round);
    waker_fence(FenceMode::symmetric);
    bell.ring();
    for (auto& count : seen) {
      testing::poll_until([&] { return count.load_acquire() >= round; });
    }
  }
  for (std::thread& sleeper : sleepers) sleeper.join();
}

}  // namespace
}  // namespace atl::shm
