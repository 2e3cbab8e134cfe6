#include "shm/accumulate_guard.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <memory>
#include <thread>
#include <vector>

#include "base/testing/failed_check.h"
#include "shm/base/cache_line.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using atl::testing::ThrowsFailedChecks;
using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

using Kind = AccumulateGuard::Kind;
using Claim = AccumulateGuard::Claim;

constexpr std::uint32_t kMembers = 4;
constexpr FenceMode kSymmetric = FenceMode::symmetric;

Claim::Outcome claim(AccumulateGuard& guard, Kind kind, std::uint32_t member) {
  return guard.try_claim(kind, member, kMembers).outcome;
}

TEST_CASE("a guard is in mode small until the first bulk operation") {
  AccumulateGuard guard{};
  AccumulateMark mark{};
  CHECK(guard.enter_small(mark, kSymmetric));
  CHECK(mark.is_set());
  AccumulateGuard::leave_small(mark);
  CHECK_FALSE(mark.is_set());
  CHECK(claim(guard, Kind::small, 1) == Claim::small);
  CHECK(claim(guard, Kind::bulk, 1) == Claim::revoke);
  CHECK_FALSE(guard.enter_small(mark, kSymmetric));
  CHECK_FALSE(mark.is_set());
  const Claim refused = guard.try_claim(Kind::small, 2, kMembers);
  CHECK(refused.outcome == Claim::held);
  CHECK(refused.holder == 1);
  CHECK(claim(guard, Kind::bulk, 2) == Claim::held);
  guard.release(Kind::bulk, 1);
  CHECK_FALSE(guard.enter_small(mark, kSymmetric));
  CHECK(claim(guard, Kind::bulk, 2) == Claim::claimed);
  guard.release(Kind::bulk, 2);
}

TEST_CASE("small operations in a row make the mode small again") {
  AccumulateGuard guard{};
  AccumulateMark mark{};
  REQUIRE(claim(guard, Kind::bulk, 0) == Claim::revoke);
  guard.release(Kind::bulk, 0);
  for (const Kind last : {Kind::bulk, Kind::small}) {
    for (std::uint32_t i = 1; i < AccumulateGuard::kSmallRun; ++i) {
      REQUIRE(claim(guard, Kind::small, i % kMembers) == Claim::claimed);
      guard.release(Kind::small, i % kMembers);
      REQUIRE_FALSE(guard.enter_small(mark, kSymmetric));
    }
    REQUIRE(claim(guard, last, 3) == Claim::claimed);
    guard.release(last, 3);
  }
  CHECK(guard.enter_small(mark, kSymmetric));
}

TEST_CASE("a guard that must never be in mode small is not") {
  AccumulateGuard guard{};
  AccumulateMark mark{};
  guard.construct(true);
  for (std::uint32_t i = 0; i < 2 * AccumulateGuard::kSmallRun; ++i) {
    REQUIRE_FALSE(guard.enter_small(mark, FenceMode::alone));
    REQUIRE(claim(guard, Kind::small, 0) == Claim::claimed);
    guard.release(Kind::small, 0);
  }
  CHECK(claim(guard, Kind::bulk, 2) == Claim::claimed);
  CHECK(guard.take_over(2, 1, kMembers).outcome == Claim::claimed);
  guard.release(Kind::bulk, 1);
  CHECK(claim(guard, Kind::bulk, 2) == Claim::claimed);
}

TEST_CASE("a revocation waits until each mark was clear once") {
  Revocation revocation(kSymmetric);
  AccumulateMark marks[kMembers] = {};
  const auto mark_of = [&](std::uint32_t member) -> const AccumulateMark& { return marks[member]; };
  marks[1].set();
  marks[3].set();
  CHECK_FALSE(revocation.done(kMembers, mark_of));
  CHECK(revocation.awaited() == 1);
  marks[1].clear();
  CHECK_FALSE(revocation.done(kMembers, mark_of));
  marks[1].set();  // the member will see the mode
  CHECK_FALSE(revocation.done(kMembers, mark_of));
  CHECK(revocation.awaited() == 3);
  revocation.skip();  // it has died
  CHECK(revocation.done(kMembers, mark_of));
  CHECK(revocation.done(kMembers, mark_of));
}

TEST_CASE("one member takes over from a dead holder, and revokes the mode again") {
  AccumulateGuard guard{};
  REQUIRE(claim(guard, Kind::bulk, 0) == Claim::revoke);
  CHECK(guard.take_over(0, 1, kMembers).outcome == Claim::revoke);
  const Claim late = guard.take_over(0, 2, kMembers);
  CHECK(late.outcome == Claim::held);
  CHECK(late.holder == 1);
  guard.release(Kind::bulk, 1);
  CHECK(guard.take_over(0, 2, kMembers).outcome == Claim::claimed);
}

TEST_CASE("a damaged word is not used") {
  ThrowsFailedChecks throws;
  AccumulateGuard guard{};
  CHECK_THROWS_AS(guard.release(Kind::bulk, 0), atl::testing::FailedCheck);
  REQUIRE(claim(guard, Kind::bulk, 3) == Claim::revoke);
  CHECK_THROWS_AS(guard.release(Kind::bulk, 0), atl::testing::FailedCheck);
  CHECK_THROWS_AS(guard.try_claim(Kind::bulk, 0, 3), atl::testing::FailedCheck);
  CHECK_THROWS_AS(Revocation(FenceMode::alone), atl::testing::FailedCheck);
}

// --- several members at once ---

constexpr std::uint32_t kElements = 8;

struct Book {
  alignas(kCacheLine) AccumulateGuard guard;
  alignas(kCacheLine) Shared<std::uint64_t> data[kElements];
  struct alignas(kCacheLine) Line {
    AccumulateMark mark;
    Shared<std::uint32_t> dead;                // written by the test, after the process has ended
    Shared<std::uint64_t> counted[kElements];  // additions that are complete
  };
  Line lines[kMembers];
};

class Member {
 public:
  Member(Book& book, FenceMode fence, std::uint32_t me, std::uint64_t seed)
      : book_(book), fence_(fence), me_(me), random_(seed * kMembers + me) {}

  int run(std::uint32_t operations) {
    for (std::uint32_t i = 0; i < operations; ++i) {
      if (random_.below(2000) == 0) ::sched_yield();
      // Long runs of small operations, so that the mode becomes small again.
      if (run_-- == 0) {
        run_ = random_.below(2000);
        add_to_all();
      } else {
        add_to(random_.below(kElements));
      }
    }
    return 0;
  }

 private:
  void add_to(std::uint32_t element) {
    AccumulateMark& mark = book_.lines[me_].mark;
    // With slow stores before that of the mark, a missing fence lets the load of the mode overtake
    // it.
    for (std::uint32_t i = random_.below(24); i > 0; --i) far_memory_[random_.below(kFarBytes)] = 1;
    while (!book_.guard.enter_small(mark, fence_)) {
      if (!acquire(Kind::small)) continue;
      add_plainly(element);
      book_.guard.release(Kind::small, me_);
      count(element);
      return;
    }
    // A claimant that does not wait has time to load an element before this addition.
    if (random_.below(8) == 0) testing::dawdle(random_, 300);
    if (random_.below(200) == 0) ::sched_yield();
    book_.data[element].fetch_add_relaxed(1);
    AccumulateGuard::leave_small(mark);
    count(element);
  }

  void add_to_all() {
    acquire(Kind::bulk);
    for (std::uint32_t element = 0; element < kElements; ++element) add_plainly(element);
    book_.guard.release(Kind::bulk, me_);
    for (std::uint32_t element = 0; element < kElements; ++element) count(element);
  }

  void add_plainly(std::uint32_t element) {
    volatile std::uint64_t* word = book_.data[element].address();
    const std::uint64_t old = *word;
    testing::dawdle(random_, 100);
    *word = old + 1;
  }

  void count(std::uint32_t element) {
    auto& counted = book_.lines[me_].counted[element];
    counted.store_release(counted.load_relaxed() + 1);
  }

  // False when a small operation finds the mode small.
  bool acquire(Kind kind) {
    Claim claim{};
    testing::poll_until([&] {
      claim = book_.guard.try_claim(kind, me_, kMembers);
      if (claim.outcome == Claim::held && is_dead(claim.holder)) {
        claim = book_.guard.take_over(claim.holder, me_, kMembers);
      }
      return claim.outcome != Claim::held;
    });
    if (claim.outcome == Claim::revoke) revoke();
    return claim.outcome != Claim::small;
  }

  void revoke() {
    Revocation revocation(fence_);
    testing::poll_until([&] {
      const auto mark_of = [&](std::uint32_t member) -> const AccumulateMark& {
        return book_.lines[member].mark;
      };
      if (revocation.done(kMembers, mark_of)) return true;
      if (is_dead(revocation.awaited())) revocation.skip();
      return false;
    });
  }

  bool is_dead(std::uint32_t member) const { return book_.lines[member].dead.load_acquire() != 0; }

  Book& book_;
  FenceMode fence_;
  std::uint32_t me_;
  Random random_;
  static constexpr std::uint32_t kFarBytes = 2u << 20;  // more than the nearest caches hold
  std::vector<char> far_memory_ = std::vector<char>(kFarBytes);
  std::uint32_t run_ = random_.below(2000);
};

std::vector<FenceMode> fence_modes() {
  std::vector<FenceMode> modes{FenceMode::symmetric};
  if (membarrier_works() && register_for_membarrier()) modes.push_back(FenceMode::asymmetric);
  return modes;
}

// A member may die between an addition and its count.
void check_sums(const Book& book, std::uint32_t victims) {
  for (std::uint32_t element = 0; element < kElements; ++element) {
    std::uint64_t sum = 0;
    for (const Book::Line& line : book.lines) sum += line.counted[element].load_acquire();
    const std::uint64_t found = book.data[element].load_acquire();
    CHECK(found >= sum);
    CHECK(found <= sum + victims);
  }
}

TEST_CASE("threads lose no addition") {
  for (const FenceMode fence : fence_modes()) {
    Watchdog watchdog("threads add");
    auto book = std::make_unique<Book>();
    std::vector<std::thread> threads;
    for (std::uint32_t me = 0; me < kMembers; ++me) {
      threads.emplace_back([&, me] { Member(*book, fence, me, 1).run(400000); });
    }
    for (std::thread& thread : threads) thread.join();
    check_sums(*book, 0);
  }
}

TEST_CASE("processes lose no addition") {
  for (const bool never_small : {false, true}) {
    for (const FenceMode fence : fence_modes()) {
      Watchdog watchdog("processes add");
      SharedObject<Book> book;
      book->guard.construct(never_small);
      std::vector<pid_t> processes;
      for (std::uint32_t me = 0; me < kMembers; ++me) {
        processes.push_back(testing::start([&, me] {
          if (fence == FenceMode::asymmetric && !register_for_membarrier()) return 100;
          return Member(*book, fence, me, 2).run(never_small ? 20000 : 400000);
        }));
      }
      for (const pid_t process : processes) CHECK(testing::finish(process) == 0);
      check_sums(*book, 0);
    }
  }
}

void kill_some(std::uint64_t seed, std::uint32_t victims, FenceMode fence) {
  SharedObject<Book> book;
  Random random(seed);
  std::vector<pid_t> processes;
  for (std::uint32_t me = 0; me < kMembers; ++me) {
    processes.push_back(testing::start([&, me] {
      if (fence == FenceMode::asymmetric && !register_for_membarrier()) return 100;
      return Member(*book, fence, me, seed).run(me < victims ? ~0u : 20000);
    }));
  }
  for (std::uint32_t victim = 0; victim < victims; ++victim) {
    const std::uint64_t enough = random.below(1000);
    testing::poll_until([&] { return book->lines[victim].counted[0].load_acquire() >= enough; });
    const timespec time{0, static_cast<long>(random.below(200000))};
    ::nanosleep(&time, nullptr);
    testing::kill_hard(processes[victim]);
    CHECK(testing::finish(processes[victim]) == -SIGKILL);
    book->lines[victim].dead.store_release(1);
  }
  for (std::uint32_t me = victims; me < kMembers; ++me) CHECK(testing::finish(processes[me]) == 0);
  check_sums(*book, victims);
}

TEST_CASE("members that are killed in the middle of an operation stop nobody") {
  for (const FenceMode fence : fence_modes()) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      CAPTURE(seed);
      Watchdog watchdog("members killed");
      kill_some(seed, 1 + seed % (kMembers - 1), fence);
    }
  }
}

}  // namespace
}  // namespace atl::shm
