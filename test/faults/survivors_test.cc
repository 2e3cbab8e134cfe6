// Ranks die in the midst of making communicators, and nobody ends the job: what
// the survivors do among themselves is not touched by it, and the registry of
// context ids has lost no more than what the dead held. There is no mpiexec here,
// which would end the job.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "shm/launcher_lock.h"
#include "shm/segment.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

constexpr int kSurvivors = 4;
constexpr int kDoomed = 2;
constexpr const char* kRounds = "200";
constexpr const char* kProgram = "test/faults/makers";

[[noreturn]] void run_rank(const Segment& segment, int rank) {
  const int inherited = ::fcntl(segment.descriptor(), F_DUPFD, 100);  // not close-on-exec
  ::setenv(kJobVariable, segment.description(inherited).c_str(), 1);
  ::setenv(kRankVariable, std::to_string(rank).c_str(), 1);
  ::execl(kProgram, kProgram, std::to_string(kDoomed).c_str(), kRounds, nullptr);
  ::_exit(127);
}

Segment new_job() {
  auto made = Segment::create({.size = kSurvivors + kDoomed, .flags = kJobSharedCores});
  REQUIRE(std::holds_alternative<Segment>(made));
  // As mpiexec does, whose end the ranks would notice.
  REQUIRE(hold_launcher_lock(std::get<Segment>(made).descriptor()));
  return std::move(std::get<Segment>(made));
}

TEST_CASE("survivors go on making communicators, whoever is killed when") {
  testing::Random random(5);
  constexpr int kJobs = 30;
  for (int job = 0; job < kJobs; ++job) {
    testing::Watchdog watchdog("survivors", 120);
    const Segment segment = new_job();
    std::vector<pid_t> ranks;
    for (int rank = 0; rank < kSurvivors + kDoomed; ++rank) {
      ranks.push_back(testing::start([&]() -> int { run_rank(segment, rank); }));
    }
    ::usleep(random.below(60000));
    for (int rank = kSurvivors; rank < kSurvivors + kDoomed; ++rank) {
      testing::kill_hard(ranks[static_cast<std::size_t>(rank)]);
      ::usleep(random.below(2000));
    }
    for (int rank = 0; rank < kSurvivors + kDoomed; ++rank) {
      const int status = testing::finish(ranks[static_cast<std::size_t>(rank)]);
      CHECK(status == (rank < kSurvivors ? 0 : -SIGKILL));
    }
    // At most what two doomed ranks keep, offer and make at a time.
    CHECK(segment.contexts().in_use() <= kStandingContexts + 32);
  }
}

}  // namespace
}  // namespace atl::shm
