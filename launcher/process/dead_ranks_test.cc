#include "launcher/process/dead_ranks.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <variant>

#include "shm/pid_namespace.h"

namespace atl::launcher {
namespace {

using shm::Life;

shm::Segment make(std::uint32_t ranks) {
  auto made = shm::Segment::create({.size = ranks});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  return std::get<shm::Segment>(std::move(made));
}

Life life_of(const shm::Segment& segment, std::uint32_t rank) {
  return static_cast<Life>(segment.slot(rank).life.load_relaxed());
}

TEST_CASE("where a rank may end in MPI") {
  for (const Life life : {Life::initialized, Life::sessions, Life::aborted})
    CHECK(ended_in_mpi(life));
  for (const Life life : {Life::launched, Life::finalized}) CHECK(!ended_in_mpi(life));
}

TEST_CASE("a rank is marked, and the others that sleep are woken") {
  const shm::Segment segment = make(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    segment.slot(rank).life.store_relaxed(static_cast<std::uint32_t>(Life::initialized));
  }
  const std::uint32_t sleeping = segment.slot(0).doorbell.announce();
  const std::uint32_t dead = segment.slot(1).doorbell.announce();
  const std::uint32_t awake = segment.slot(2).doorbell.word();
  segment.slot(3).doorbell.announce();
  mark_killed(segment, 1);
  CHECK(life_of(segment, 1) == Life::killed);
  CHECK(life_of(segment, 0) == Life::initialized);
  CHECK(segment.slot(0).doorbell.word() == sleeping + 1);
  CHECK(!segment.slot(3).doorbell.announced());
  CHECK(segment.slot(1).doorbell.word() == dead);
  CHECK(segment.slot(2).doorbell.word() == awake);
}

TEST_CASE("a rank that sleeps until another one is killed continues") {
  const shm::Segment segment = make(2);
  for (int round = 0; round < 200; ++round) {
    segment.slot(1).life.store_relaxed(static_cast<std::uint32_t>(Life::initialized));
    std::thread sleeper([&] {
      shm::Doorbell& bell = segment.slot(0).doorbell;
      while (true) {
        const std::uint32_t announcement = bell.announce();
        full_fence();  // pairs with mark_killed()
        if (life_of(segment, 1) == Life::killed) break;
        bell.sleep(announcement, -1);
      }
    });
    if (round % 2 == 0) std::this_thread::yield();
    mark_killed(segment, 1);
    sleeper.join();
  }
}

TEST_CASE("whether a rank outlives the process that was started for it") {
  const shm::Segment segment = make(1);
  shm::RankSlot& slot = segment.slot(0);
  CHECK(!outlives(slot, 1));  // it has not called MPI_Init
  slot.pid_namespace.store_relaxed(shm::pid_namespace("/proc/self"));
  slot.pid.store_relaxed(::getpid());
  CHECK(outlives(slot, 1));
  CHECK(!outlives(slot, ::getpid()));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  slot.pid.store_relaxed(child);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(!outlives(slot, 1));
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(!outlives(slot, 1));
}

}  // namespace
}  // namespace atl::launcher
