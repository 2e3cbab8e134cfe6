#include "shm/window_lock.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <time.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/testing/failed_check.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using atl::testing::ThrowsFailedChecks;
using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

constexpr std::uint32_t kMembers = 5;
constexpr LockType kShared = LockType::shared;
constexpr LockType kExclusive = LockType::exclusive;

struct alignas(kCacheLine) Lock {
  std::byte bytes[WindowLock::footprint(kMembers)];

  WindowLock* operator->() { return reinterpret_cast<WindowLock*>(bytes); }
  WindowLock::Attempt poll(WindowLock::Ticket ticket, std::uint32_t member,
                           PollMode mode = PollMode::complete) {
    return (*this)->try_as_waiter(ticket, member, kMembers, mode);
  }
  WindowLock::ToRing unlock(LockType type, std::uint32_t member) {
    return (*this)->unlock(type, member, kMembers);
  }
  bool untouched() const {
    std::uint64_t state;
    std::memcpy(&state, bytes, sizeof state);
    return state == 0;
  }
};

TEST_CASE("shared holders exclude exclusive ones, and one exclusive holder all others") {
  Lock lock{};
  CHECK(lock->try_lock(kShared, 0));
  CHECK(lock->try_lock(kShared, 1));
  CHECK(lock->shared_holders() == 2);
  CHECK_FALSE(lock->try_lock(kExclusive, 2));
  CHECK_FALSE(lock.unlock(kShared, 0));
  CHECK_FALSE(lock->try_lock(kExclusive, 2));
  CHECK_FALSE(lock.unlock(kShared, 1));
  CHECK(lock->try_lock(kExclusive, 2));
  CHECK(lock->exclusive_holder(kMembers) == 2u);
  CHECK_FALSE(lock->try_lock(kShared, 0));
  CHECK_FALSE(lock->try_lock(kExclusive, 0));
  CHECK_FALSE(lock.unlock(kExclusive, 2));
  CHECK_FALSE(lock->exclusive_holder(kMembers));
  CHECK(lock.untouched());
}

TEST_CASE("members with the highest rank fit into the word") {
  Lock lock{};
  constexpr std::uint32_t last = WindowLock::kMostMembers - 1;
  CHECK(lock->try_lock(kExclusive, last));
  CHECK(lock->exclusive_holder(WindowLock::kMostMembers) == last);
  CHECK_FALSE(lock->try_lock(kExclusive, 0));
  lock.unlock(kExclusive, last);
  for (std::uint32_t i = 0; i < WindowLock::kMostMembers; ++i) REQUIRE(lock->try_lock(kShared, i));
  CHECK(lock->shared_holders() == WindowLock::kMostMembers);
  CHECK_FALSE(lock->exclusive_holder(WindowLock::kMostMembers));
  for (std::uint32_t i = 0; i < WindowLock::kMostMembers; ++i) lock.unlock(kShared, i);
  CHECK(lock.untouched());
}

TEST_CASE("an unlock rings the front, but only if a waiter may sleep") {
  Lock lock{};
  REQUIRE(lock->try_lock(kExclusive, 0));
  const auto first = lock->enqueue(kExclusive, 3);
  const auto second = lock->enqueue(kExclusive, 1);
  CHECK_FALSE(lock.poll(first, 3, PollMode::fast).locked);
  CHECK_FALSE(lock.unlock(kExclusive, 0));  // both are awake
  REQUIRE(lock->try_lock(kExclusive, 0));
  CHECK_FALSE(lock.poll(second, 1).locked);
  CHECK(lock.unlock(kExclusive, 0) == 3u);   // not 1, which sleeps: 3 passes it on
  CHECK_FALSE(lock.poll(second, 1).locked);  // not the front
  CHECK(lock.poll(first, 3).locked);
  CHECK(lock->front(kMembers) == 1u);
  CHECK(lock.unlock(kExclusive, 3) == 1u);
  CHECK(lock.poll(second, 1).locked);
  CHECK_FALSE(lock.unlock(kExclusive, 1));
  CHECK(lock.untouched());
}

TEST_CASE("shared waiters follow each other into the lock") {
  Lock lock{};
  REQUIRE(lock->try_lock(kExclusive, 0));
  const auto first = lock->enqueue(kShared, 1);
  const auto second = lock->enqueue(kShared, 2);
  const auto third = lock->enqueue(kExclusive, 3);
  CHECK_FALSE(lock.poll(second, 2).locked);
  CHECK_FALSE(lock.poll(third, 3).locked);
  CHECK(lock.unlock(kExclusive, 0) == 1u);
  WindowLock::Attempt attempt = lock.poll(first, 1);
  CHECK(attempt.locked);
  CHECK(attempt.ring == 2u);
  CHECK(lock.poll(second, 2).locked);
  CHECK_FALSE(lock.poll(third, 3).locked);
  CHECK_FALSE(lock.unlock(kShared, 1));
  CHECK(lock.unlock(kShared, 2) == 3u);
  CHECK(lock.poll(third, 3).locked);
  lock.unlock(kExclusive, 3);
  CHECK(lock.untouched());
}

TEST_CASE("the queue is bypassed a limited number of times before the front has its turn") {
  Lock lock{};
  REQUIRE(lock->try_lock(kExclusive, 0));
  const auto ticket = lock->enqueue(kExclusive, 1);
  const auto behind = lock->enqueue(kShared, 2);
  lock.unlock(kExclusive, 0);
  const auto bypasses = [&](LockType type) {
    std::uint32_t count = 0;
    while (lock->try_lock(type, 0)) {
      ++count;
      lock.unlock(type, 0);
    }
    return count;
  };
  CHECK(bypasses(kExclusive) == WindowLock::kMostBypassed);
  CHECK(bypasses(kShared) == 0);
  CHECK(lock.poll(ticket, 1).locked);
  lock.unlock(kExclusive, 1);
  CHECK(bypasses(kShared) == WindowLock::kMostBypassed);
  CHECK(lock.poll(behind, 2).locked);
  lock.unlock(kShared, 2);
  CHECK(lock.untouched());
}

TEST_CASE("a waiter that leaves rings the next one") {
  Lock lock{};
  REQUIRE(lock->try_lock(kShared, 0));
  lock->enqueue(kExclusive, 1);
  const auto behind = lock->enqueue(kShared, 2);
  CHECK_FALSE(lock.poll(behind, 2).locked);
  CHECK(lock->leave(1, kMembers) == 2u);
  CHECK(lock.poll(behind, 2).locked);
  lock.unlock(kShared, 0);
  lock.unlock(kShared, 2);
  CHECK(lock.untouched());
  REQUIRE(lock->try_lock(kShared, 0));
  const auto only = lock->enqueue(kExclusive, 1);
  CHECK_FALSE(lock.poll(only, 1).locked);
  CHECK_FALSE(lock->leave(1, kMembers));
  CHECK_FALSE(lock.unlock(kShared, 0));
  CHECK(lock.untouched());
}

TEST_CASE("tickets wrap around") {
  for (const std::uint32_t next : {0xfffffffau, 0xfffffffcu, 0xfffffffeu}) {
    Lock lock{};
    std::memcpy(lock.bytes + 8, &next, sizeof next);
    REQUIRE(lock->try_lock(kExclusive, 0));
    WindowLock::Ticket tickets[kMembers];
    for (std::uint32_t member = kMembers - 1; member > 0; --member) {
      tickets[member] = lock->enqueue(kShared, member);
      CHECK(tickets[member] != 0);
    }
    lock.unlock(kExclusive, 0);
    for (std::uint32_t member = kMembers - 1; member > 0; --member) {
      CHECK(lock->front(kMembers) == member);
      CHECK(lock.poll(tickets[member], member).locked);
    }
  }
}

TEST_CASE("a dead member holds the lock and waits no more") {
  Lock lock{};
  REQUIRE(lock->try_lock(kExclusive, 0));
  lock->enqueue(kExclusive, 1);
  const auto ticket = lock->enqueue(kExclusive, 2);
  CHECK(lock->exclusive_holder(kMembers) == 0u);
  CHECK(lock->forget(0, kMembers) == 1u);
  CHECK_FALSE(lock.poll(ticket, 2).locked);
  CHECK(lock->forget(1, kMembers) == 2u);
  CHECK(lock->forget(1, kMembers) == 2u);  // by another survivor
  CHECK(lock.poll(ticket, 2).locked);
  CHECK(lock->forget(0, kMembers) == std::nullopt);
  CHECK(lock->exclusive_holder(kMembers) == 2u);
  lock.unlock(kExclusive, 2);
  CHECK(lock->try_lock(kExclusive, 3));  // the dead waiter is still counted
  lock.unlock(kExclusive, 3);
}

TEST_CASE("a damaged word is not used") {
  ThrowsFailedChecks throws;
  Lock lock{};
  CHECK_THROWS_AS(lock.unlock(kExclusive, 1), atl::testing::FailedCheck);
  CHECK_THROWS_AS(lock.unlock(kShared, 1), atl::testing::FailedCheck);
  REQUIRE(lock->try_lock(kExclusive, 4));
  CHECK_THROWS_AS(lock->exclusive_holder(4), atl::testing::FailedCheck);
}

// --- several members at once ---

constexpr WaitPolicy kPolicies[] = {{.spin_ticks = 0, .yields = 0, .sleeps = true},
                                    {.spin_ticks = 0, .yields = 5, .sleeps = true},
                                    {.spin_ticks = 5000, .yields = 2, .sleeps = true}};

struct Book {
  Lock lock;
  Doorbell bells[kMembers];
  Shared<std::uint32_t> dead[kMembers];  // written by the test, after the process has ended
  Shared<std::uint32_t> rounds[kMembers];
  // Written under the exclusive lock.
  alignas(kCacheLine) std::uint64_t first;
  alignas(kCacheLine) std::uint64_t second;
  std::uint32_t inside;  // exclusive holder + 1
};

class Member {
 public:
  Member(Book& book, FenceMode fence, std::uint32_t me, std::uint64_t seed)
      : book_(book), fence_(fence), me_(me), random_(seed * kMembers + me) {}

  // Locks `rounds` times; 0, or what was wrong. `exclusive` and `patient`: always so.
  int run(std::uint32_t rounds, bool exclusive, bool patient) {
    int result = 0;
    for (std::uint32_t round = 0; round < rounds && result == 0;) {
      const LockType type = exclusive || random_.below(2) == 0 ? kExclusive : kShared;
      const bool patient_now = patient || random_.below(8) != 0;
      if (!book_.lock->try_lock(type, me_) && !wait(type, patient_now)) continue;
      result = type == kExclusive ? write() : read();
      ring(book_.lock.unlock(type, me_));
      testing::dawdle(random_, 300);
      book_.rounds[me_].store_release(++round);
    }
    return result;
  }
  std::uint64_t writes() const { return writes_; }

 private:
  bool wait(LockType type, bool patient) {
    const WindowLock::Ticket ticket = book_.lock->enqueue(type, me_);
    std::uint32_t polls = patient ? ~0u : random_.below(10);
    bool locked = false;
    const auto step = [&](PollMode mode) {
      forget_dead();
      const WindowLock::Attempt attempt = book_.lock.poll(ticket, me_, mode);
      ring(attempt.ring);
      locked = attempt.locked;
      return locked || polls-- == 0 ? Step::done : Step::idle;
    };
    wait_until(
        book_.bells[me_], fence_, kPolicies[random_.below(3)], step, [] {}, [] {});
    if (!locked) ring(book_.lock->leave(me_, kMembers));
    return locked;
  }

  void forget_dead() {
    for (std::uint32_t member = 0; member < kMembers; ++member) {
      if (forgotten_[member] || book_.dead[member].load_acquire() == 0) continue;
      forgotten_[member] = true;
      ring(book_.lock->forget(member, kMembers));
    }
  }

  void ring(WindowLock::ToRing member) {
    if (!member) return;
    waker_fence(fence_);
    book_.bells[*member].ring();
  }

  int write() {
    ++writes_;
    if (book_.inside != 0 && book_.dead[book_.inside - 1].load_acquire() == 0) return 1;
    const bool broken = book_.inside != 0;
    book_.inside = me_ + 1;
    if (!broken && book_.first != book_.second) return 2;
    ++book_.first;
    testing::dawdle(random_, 300);
    if (random_.below(100) == 0) yield_core();
    book_.second = book_.first;
    if (book_.inside != me_ + 1) return 3;
    book_.inside = 0;
    return 0;
  }

  int read() {
    const std::uint64_t first = book_.first;
    testing::dawdle(random_, 300);
    return book_.inside != 0 || first == book_.second ? 0 : 4;
  }

  Book& book_;
  FenceMode fence_;
  std::uint32_t me_;
  Random random_;
  std::uint64_t writes_ = 0;
  bool forgotten_[kMembers] = {};
};

std::vector<FenceMode> fence_modes() {
  std::vector<FenceMode> modes{FenceMode::symmetric};
  if (membarrier_works() && register_for_membarrier()) modes.push_back(FenceMode::asymmetric);
  return modes;
}

TEST_CASE("threads lock, wait and give up") {
  for (const FenceMode fence : fence_modes()) {
    Watchdog watchdog("threads lock");
    auto book = std::make_unique<Book>();
    std::memset(static_cast<void*>(book.get()), 0, sizeof *book);
    std::vector<std::unique_ptr<Member>> members;
    std::vector<std::thread> threads;
    int results[kMembers] = {};
    for (std::uint32_t me = 0; me < kMembers; ++me) {
      members.push_back(std::make_unique<Member>(*book, fence, me, 1));
      threads.emplace_back(
          [&, me, member = members[me].get()] { results[me] = member->run(30000, false, false); });
    }
    std::uint64_t writes = 0;
    for (std::uint32_t me = 0; me < kMembers; ++me) {
      threads[me].join();
      CHECK(results[me] == 0);
      writes += members[me]->writes();
    }
    CHECK(book->first == writes);
    CHECK(book->second == writes);
    CHECK(book->lock.untouched());
  }
}

TEST_CASE("processes lock, wait and give up") {
  for (const FenceMode fence : fence_modes()) {
    Watchdog watchdog("processes lock");
    SharedObject<Book> book;
    std::vector<pid_t> processes;
    for (std::uint32_t me = 0; me < kMembers; ++me) {
      processes.push_back(testing::start([&, me] {
        if (fence == FenceMode::asymmetric && !register_for_membarrier()) return 100;
        return Member(*book, fence, me, 2).run(30000, false, false);
      }));
    }
    for (const pid_t process : processes) CHECK(testing::finish(process) == 0);
    CHECK(book->first == book->second);
    CHECK(book->lock.untouched());
  }
}

// The victims lock exclusively only, because a dead shared holder cannot be found.
void kill_some(std::uint64_t seed, std::uint32_t victims, FenceMode fence) {
  SharedObject<Book> book;
  Random random(seed);
  std::vector<pid_t> processes;
  for (std::uint32_t me = 0; me < kMembers; ++me) {
    processes.push_back(testing::start([&, me] {
      if (fence == FenceMode::asymmetric && !register_for_membarrier()) return 100;
      return Member(*book, fence, me, seed).run(me < victims ? ~0u : 500, me < victims, true);
    }));
  }
  for (std::uint32_t victim = 0; victim < victims; ++victim) {
    const std::uint32_t enough = random.below(200);
    testing::poll_until([&] { return book->rounds[victim].load_acquire() >= enough; });
    const timespec time{0, static_cast<long>(random.below(200000))};
    ::nanosleep(&time, nullptr);
    testing::kill_hard(processes[victim]);
    CHECK(testing::finish(processes[victim]) == -SIGKILL);
    book->dead[victim].store_release(1);
    full_fence();  // as waker_fence() of a process that is not registered for membarrier
    for (Doorbell& bell : book->bells) bell.ring();
  }
  for (std::uint32_t me = victims; me < kMembers; ++me) CHECK(testing::finish(processes[me]) == 0);
}

TEST_CASE("members that are killed while they hold the lock or wait for it stop nobody") {
  for (const FenceMode fence : fence_modes()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      Watchdog watchdog("members killed");
      kill_some(seed, 1 + seed % (kMembers - 1), fence);
    }
  }
}

}  // namespace
}  // namespace atl::shm
