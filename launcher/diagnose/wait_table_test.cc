#include "launcher/diagnose/wait_table.h"

#include <doctest/doctest.h>

#include <cstring>

namespace atl::launcher {
namespace {

constexpr std::int64_t kSecond = 1000000000;
using shm::WaitKind;

shm::WaitInfo waiting(WaitKind kind, const char* call, int peer, int peer_world, int tag) {
  shm::WaitInfo info;
  std::strcpy(info.call, call);
  std::strcpy(info.communicator, "MPI_COMM_WORLD");
  info.kind = kind;
  info.size = 4;
  info.peer = peer;
  info.peer_world = peer_world;
  info.tag = tag;
  info.bytes = 8;
  info.requests = 1;
  info.since_ns = 5 * kSecond;
  return info;
}

shm::WaitInfo receiving() { return waiting(WaitKind::receive, "MPI_Recv", 1, 1, 7); }

RankState state(shm::Life life, std::optional<shm::WaitInfo> wait = std::nullopt) {
  RankState rank;
  rank.life = life;
  rank.waiting = wait;
  return rank;
}

TEST_CASE("a wait is described by call, partner, tag, communicator and bytes") {
  CHECK(describe_wait(receiving()) ==
        "MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD of size 4, 8 bytes");
  CHECK(describe_wait(waiting(WaitKind::send, "MPI_Ssend", 0, 3, 0)) ==
        "MPI_Ssend to 0 (rank 3 of the job), tag 0, communicator MPI_COMM_WORLD of size 4, 8 "
        "bytes");
  CHECK(describe_wait(waiting(WaitKind::receive, "MPI_Recv", -1, -1, -2)) ==
        "MPI_Recv from any source, any tag, communicator MPI_COMM_WORLD of size 4, 8 bytes");
  CHECK(describe_wait(waiting(WaitKind::probe, "MPI_Probe", 2, 2, 1)) ==
        "MPI_Probe from 2, tag 1, communicator MPI_COMM_WORLD of size 4");
  CHECK(describe_wait(waiting(WaitKind::collective, "MPI_Barrier", 2, 2, -2)) ==
        "MPI_Barrier, communicator MPI_COMM_WORLD of size 4");
}

TEST_CASE("a wait for requests is described by their number and kind") {
  shm::WaitInfo info = waiting(WaitKind::send, "MPI_Wait", 2, 2, 1);
  CHECK(describe_wait(info) ==
        "MPI_Wait for a send to 2, tag 1, communicator MPI_COMM_WORLD of size 4, 8 bytes");
  info = waiting(WaitKind::receive, "MPI_Waitall", 2, 2, 1);
  info.requests = 5;
  CHECK(describe_wait(info) ==
        "MPI_Waitall for 5 requests, the first a receive from 2, tag 1, communicator "
        "MPI_COMM_WORLD of size 4, 8 bytes");
  std::strcpy(info.call, "MPI_Waitany");
  info.any = 1;
  CHECK(describe_wait(info) ==
        "MPI_Waitany for one of 5 requests, the first a receive from 2, tag 1, communicator "
        "MPI_COMM_WORLD of size 4, 8 bytes");
  info = waiting(WaitKind::collective, "MPI_Wait", -3, -1, -2);
  std::strcpy(info.began, "MPI_Ibcast");
  CHECK(describe_wait(info) == "MPI_Wait for MPI_Ibcast, communicator MPI_COMM_WORLD of size 4");
}

TEST_CASE("a wait for a lock is described by target, window and holder") {
  using shm::LockMode;
  shm::WaitInfo info = waiting(WaitKind::lock, "MPI_Win_lock", 0, 0, -2);
  std::strcpy(info.communicator, "window halo");
  info.lock = {2, 2, LockMode::exclusive, LockMode::exclusive};
  CHECK(describe_wait(info) ==
        "MPI_Win_lock for the exclusive lock of rank 0, window halo of size 4, held exclusively by "
        "rank 2");
  std::strcpy(info.call, "MPI_Put");
  info.peer_world = 5;
  info.lock = {1, 3, LockMode::shared, LockMode::exclusive};
  CHECK(describe_wait(info) ==
        "MPI_Put for the shared lock of rank 0 (rank 5 of the job), window halo of size 4, held "
        "exclusively by rank 1 (rank 3 of the job)");
  info.lock = {-1, -1, LockMode::exclusive, LockMode::shared};
  CHECK(describe_wait(info).ends_with("window halo of size 4, held shared by another rank"));
  info.lock = {};
  CHECK(describe_wait(info) ==
        "MPI_Put for the lock of rank 0 (rank 5 of the job), window halo of size 4");
  info.lock.held = static_cast<LockMode>(77);  // damaged
  info.lock.holder = 1;
  CHECK(describe_wait(info).ends_with(", held by rank 1"));
}

TEST_CASE("a wait for a post or a complete is described by its ranks, without a tag") {
  shm::WaitInfo info = waiting(WaitKind::post, "MPI_Win_start", 3, 3, 17);
  std::strcpy(info.communicator, "window of MPI_COMM_WORLD");
  CHECK(describe_wait(info) ==
        "MPI_Win_start for MPI_Win_post of rank 3, window of MPI_COMM_WORLD of size 4");
  info.kind = WaitKind::complete;
  std::strcpy(info.call, "MPI_Win_wait");
  info.requests = 3;
  info.peer = 1;
  CHECK(describe_wait(info) ==
        "MPI_Win_wait for MPI_Win_complete of 3 ranks, the first 1 (rank 3 of the job), window of "
        "MPI_COMM_WORLD of size 4");
}

TEST_CASE("a collective on the communicator of a window names the window") {
  shm::WaitInfo info = waiting(WaitKind::collective, "MPI_Win_fence", -3, -1, -2);
  std::strcpy(info.communicator, "window halo");
  CHECK(describe_wait(info) == "MPI_Win_fence, window halo of size 4");
}

TEST_CASE("a name without end is cut, not overrun") {
  shm::WaitInfo info = receiving();
  info.size = 0;
  std::memset(info.communicator, 'x', sizeof info.communicator);
  CHECK(describe_wait(info) == "MPI_Recv from 1, tag 7, communicator " +
                                   std::string(sizeof info.communicator, 'x') + ", 8 bytes");
}

TEST_CASE("the table has a line for each rank") {
  std::vector<RankState> ranks = {state(shm::Life::initialized, receiving()),
                                  state(shm::Life::initialized),
                                  state(shm::Life::launched),
                                  state(shm::Life::finalized),
                                  state(shm::Life::initialized, receiving()),
                                  state(shm::Life::initialized, receiving()),
                                  state(shm::Life::initialized),
                                  state(shm::Life::initialized)};
  ranks[0].sources = {"heat.c:42 (exchange)"};
  ranks[4].running = false;
  ranks[4].how_ended = "returned 3";
  ranks[5].process = 'T';
  ranks[6].process = 'R';
  ranks[7].process = 'R';
  ranks[7].call = "MPI_Test";
  const std::string receive =
      "MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD of size 4, 8 bytes, waits 2.1 s";
  CHECK(wait_table(ranks, 5 * kSecond + 2100000000) == "rank 0: " + receive +
                                                           ", at heat.c:42 (exchange)\n"
                                                           "rank 1: does not wait in MPI\n"
                                                           "rank 2: has not called MPI_Init\n"
                                                           "rank 3: has finalized MPI, but runs\n"
                                                           "rank 4: has ended: returned 3\n"
                                                           "rank 5: " +
                                                           receive +
                                                           ", is stopped\n"
                                                           "rank 6: computes outside MPI\n"
                                                           "rank 7: is at work in MPI_Test");
}

TEST_CASE("each thread of a rank with a report has a line") {
  RankState rank = state(shm::Life::initialized, receiving());
  rank.report.emplace();
  rank.report->waits_count = 2;
  rank.report->waits[0] = receiving();
  rank.report->waits[1] = waiting(WaitKind::collective, "MPI_Barrier", -3, -1, -2);
  rank.sources = {"a.c:1", "b.c:2"};
  CHECK(wait_table(std::span(&rank, 1), 6 * kSecond) ==
        "rank 0: MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD of size 4, 8 bytes, waits 1.0 "
        "s, at a.c:1\n"
        "rank 0: MPI_Barrier, communicator MPI_COMM_WORLD of size 4, waits 1.0 s, at b.c:2");
}

TEST_CASE("the summary groups ranks with equal waits") {
  std::vector<RankState> ranks(5, state(shm::Life::initialized, receiving()));
  ranks[1].waiting = waiting(WaitKind::collective, "MPI_Barrier", -3, -1, -2);
  ranks[3].waiting.reset();
  CHECK(wait_summary(ranks) ==
        "ranks 0,2,4 in MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD of size 4, 8 bytes; "
        "rank 1 in MPI_Barrier, communicator MPI_COMM_WORLD of size 4");
  CHECK(wait_summary({}) == "");
}

}  // namespace
}  // namespace atl::launcher
