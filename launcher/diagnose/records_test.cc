#include "launcher/diagnose/records.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "launcher/diagnose/diagnosis.h"

namespace atl::launcher {
namespace {

using shm::WaitKind;

constexpr std::size_t kRanks = 4;

shm::WaitInfo receiving() {
  shm::WaitInfo wait;
  std::strcpy(wait.call, "MPI_Recv");
  std::strcpy(wait.communicator, "MPI_COMM_WORLD");
  wait.kind = WaitKind::receive;
  wait.peer = wait.peer_world = 1;
  wait.tag = 7;
  return wait;
}

// The report of a rank with two threads in MPI.
shm::ReportInfo answer() {
  shm::ReportInfo report;
  report.question = 1;
  report.waits_count = 2;
  report.waits[0] = receiving();
  report.waits[1] = receiving();
  std::strcpy(report.waits[1].call, "MPI_Wait");
  std::strcpy(report.waits[1].began, "MPI_Ibarrier");
  report.waits[1].kind = WaitKind::collective;
  report.waits[1].peer = report.waits[1].peer_world = -1;
  report.pending_count = 2;
  report.pending[0] = {.kind = WaitKind::receive, .wait = 0, .peer = 1, .peer_world = 1, .tag = 7};
  report.pending[1] = {.kind = WaitKind::collective,
                       .wait = 1,
                       .peer = -1,
                       .peer_world = -1,
                       .tag = -2,
                       .context = 3,
                       .collective = 9};
  report.arrived_count = report.begun_count = 1;
  report.arrived[0].source_world = 2;
  report.begun[0] = {3, 9};
  report.members[0][0] = report.members[1][0] = 0xf;
  return report;
}

std::optional<shm::ReportInfo> read(const shm::ReportInfo& report) {
  const auto record = std::make_unique<shm::WaitReport>();
  record->publish(report);
  return read_answer(*record, 1, kRanks);
}

RankState read(const shm::WaitInfo& wait) {
  shm::RankSlot slot{};
  slot.life.store_relaxed(static_cast<std::uint32_t>(shm::Life::initialized));
  slot.waiting.publish(wait);
  return read_state(slot, true, kRanks);
}

TEST_CASE("valid values of a rank are read") {
  CHECK(read(answer()).has_value());
  const RankState state = read(receiving());
  CHECK(!state.damaged);
  REQUIRE(state.waiting);
  CHECK(describe_wait(*state.waiting).starts_with("MPI_Recv from 1"));
}

TEST_CASE("a report for an earlier question is not accepted") {
  shm::ReportInfo report = answer();
  report.question = 0;
  CHECK(!read(report));
  report.question = 2;
  CHECK(read(report));
}

TEST_CASE("a report that no rank writes is not accepted") {
  const auto damaged = [](auto damage) {
    shm::ReportInfo report = answer();
    damage(report);
    return !read(report);
  };
  CHECK(damaged([](auto& report) { report.waits_count = shm::ReportInfo::kWaits + 1; }));
  CHECK(damaged([](auto& report) { report.pending_count = shm::ReportInfo::kPending + 1; }));
  CHECK(damaged([](auto& report) { report.arrived_count = shm::ReportInfo::kArrived + 1; }));
  CHECK(damaged([](auto& report) { report.begun_count = shm::ReportInfo::kBegun + 1; }));
  CHECK(damaged([](auto& report) { report.pending[1].wait = 2; }));
  CHECK(damaged([](auto& report) { report.pending[1].peer_world = kRanks; }));
  CHECK(damaged([](auto& report) { report.pending[0].peer_world = -2; }));
  CHECK(damaged([](auto& report) { report.waits[1].peer_world = kRanks; }));
  CHECK(damaged([](auto& report) { report.waits[1].lock.holder_world = kRanks; }));
  CHECK(damaged([](auto& report) { report.pending[0].lock.holder_world = -2; }));
  CHECK(damaged([](auto& report) { report.waits[1].began[2] = '\n'; }));
  CHECK(damaged([](auto& report) { report.arrived[0].source_world = 1 << 30; }));
  CHECK(!damaged([](auto& report) { report.pending[2].peer_world = 99; }));  // not counted
}

TEST_CASE("a damaged wait record is reported as damaged") {
  shm::WaitInfo wait = receiving();
  wait.peer_world = kRanks;
  RankState state = read(wait);
  CHECK((state.damaged && !state.waiting));
  CHECK(wait_table(std::span(&state, 1), 0) ==
        "rank 0: what it has written about itself is damaged");
  shm::RankSlot slot{};
  slot.life.store_relaxed(77);
  CHECK(read_state(slot, true, kRanks).damaged);
}

TEST_CASE("a rank that mpiexec has marked as killed") {
  shm::RankSlot slot{};
  slot.life.store_relaxed(static_cast<std::uint32_t>(shm::Life::killed));
  CHECK(!shm::in_mpi(shm::Life::killed));
  RankState state = read_state(slot, true, kRanks);
  CHECK(!state.damaged);
  CHECK(wait_table(std::span(&state, 1), 0) == "rank 0: has ended without MPI_Finalize");
}

TEST_CASE("texts without a terminating null, and with control characters") {
  shm::WaitInfo wait = receiving();
  std::memset(wait.call, 'x', sizeof wait.call);
  std::memset(wait.communicator, '\033', sizeof wait.communicator);
  const RankState state = read(wait);
  REQUIRE(state.waiting);
  CHECK(describe_wait(*state.waiting) ==
        std::string(sizeof wait.call, 'x') + " from 1, tag 7, communicator " +
            std::string(sizeof wait.communicator, '?') + ", 0 bytes");
}

TEST_CASE("an invalid time") {
  shm::WaitInfo wait = receiving();
  for (const std::int64_t since : {INT64_MIN, INT64_MAX, std::int64_t{-1}}) {
    wait.since_ns = since;
    RankState state = read(wait);
    const std::string table = wait_table(std::span(&state, 1), 1000000000);
    CHECK(table.find(since < 0 ? "waits 1.0 s" : "waits 0.0 s") != table.npos);
  }
}

// Overwrites some words of a record with random values.
void damage(void* record, std::size_t bytes, int words, std::mt19937& random) {
  for (int i = 0; i < words; ++i) {
    std::uint32_t word = random();
    if (random() % 2 == 0) word = random() % 40 - 4;
    std::memcpy(static_cast<char*>(record) + random() % (bytes / 4) * 4, &word, sizeof word);
  }
}

TEST_CASE("everything that is read from damaged records can be printed") {
  std::mt19937 random(16);  // NOLINT: the same each time
  int answers = 0;
  std::size_t told = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<RankState> ranks;
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      shm::WaitInfo wait = receiving();
      if (random() % 4 == 0) wait.kind = WaitKind::lock;
      damage(&wait, sizeof wait, static_cast<int>(random() % 4), random);
      ranks.push_back(read(wait));
      shm::ReportInfo report = answer();
      if (random() % 4 == 0) {
        report.waits[0].kind = report.pending[0].kind = WaitKind::lock;
        report.waits[0].lock.holder_world = report.pending[0].lock.holder_world =
            static_cast<std::int32_t>(random() % kRanks);
      }
      damage(&report, sizeof report, static_cast<int>(random() % 32), random);
      if (random() % 4 != 0) ranks.back().report = read(report);
      answers += ranks.back().report.has_value();
    }
    told += wait_table(ranks, 5000000000).size() + wait_summary(ranks).size() +
            waiting_circle(ranks).size() + likely_causes(ranks).size();
  }
  CHECK(answers > 1000);  // else nothing is tested
  CHECK(told > 0);
}

}  // namespace
}  // namespace atl::launcher
