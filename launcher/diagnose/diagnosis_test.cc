#include "launcher/diagnose/diagnosis.h"

#include <doctest/doctest.h>

#include <cstring>

namespace atl::launcher {
namespace {

using shm::WaitKind;
using Causes = std::vector<std::string>;

constexpr std::uint32_t kWorld = 0;
constexpr std::uint32_t kHalo = 5;
constexpr int kAny = -1;
constexpr int kAnyTag = -2;

// A rank that waits in one call, for one operation.
RankState waits(WaitKind kind, const char* call, int peer, int tag,
                std::uint32_t context = kWorld) {
  RankState rank;
  rank.life = shm::Life::initialized;
  auto& report = rank.report.emplace();
  report.waits_count = report.pending_count = 1;
  shm::WaitInfo& wait = report.waits[0];
  std::strcpy(wait.call, call);
  std::strcpy(wait.communicator, context == kWorld ? "MPI_COMM_WORLD" : "halo");
  wait.kind = kind;
  wait.context = context;
  report.pending[0].kind = kind;
  report.pending[0].context = context;
  report.pending[0].peer = report.pending[0].peer_world = wait.peer = wait.peer_world = peer;
  report.pending[0].tag = wait.tag = tag;
  report.members[0][0] = 0xf;
  rank.waiting = wait;
  return rank;
}

RankState receives(int from, int tag, std::uint32_t context = kWorld) {
  return waits(WaitKind::receive, "MPI_Recv", from, tag, context);
}

RankState sends(int to, int tag) { return waits(WaitKind::send, "MPI_Send", to, tag); }

// In collective `number`, the last of `number` started on the communicator.
RankState collective(const char* call, std::uint32_t number, std::uint32_t context = kWorld) {
  RankState rank = waits(WaitKind::collective, call, -3, kAnyTag, context);
  rank.report->waits[0].collective = rank.report->pending[0].collective = number;
  rank.report->waits[0].peer_world = rank.report->pending[0].peer_world = -1;
  rank.report->begun_count = 1;
  rank.report->begun[0] = {context, number};
  return rank;
}

void has_come(RankState& rank, int source, int tag, std::uint32_t context = kWorld) {
  shm::ArrivedInfo& message = rank.report->arrived[rank.report->arrived_count++];
  message.source = message.source_world = source;
  message.tag = tag;
  message.context = context;
  std::strcpy(message.communicator, context == kWorld ? "MPI_COMM_WORLD" : "halo");
}

// Waits for the lock of `target` in the window halo.
RankState locks(const char* call, int target, int holder,
                shm::LockMode mode = shm::LockMode::exclusive) {
  RankState rank = waits(WaitKind::lock, call, target, kAnyTag, kHalo);
  std::strcpy(rank.report->waits[0].communicator, "window halo");
  rank.report->waits[0].lock = rank.report->pending[0].lock = {holder, holder, mode, mode};
  rank.waiting = rank.report->waits[0];
  return rank;
}

RankState has_ended(const char* how) {
  RankState rank;
  rank.running = false;
  rank.how_ended = how;
  return rank;
}

TEST_CASE("the shortest cycle") {
  CHECK(waiting_circle(std::vector{receives(1, 7), receives(0, 7)}) ==
        "0 waits for 1, 1 waits for 0");
  CHECK(waiting_circle(std::vector{receives(1, 7), sends(2, 7), receives(3, 7), sends(1, 7)}) ==
        "1 waits for 2, 2 waits for 3, 3 waits for 1");
  CHECK(waiting_circle(std::vector{receives(2, 7), receives(0, 7), receives(2, 7)}) ==
        "2 waits for itself");
}

TEST_CASE("a wait for any source is in a cycle only when there is no other cycle") {
  CHECK(waiting_circle(std::vector{receives(kAny, 7), receives(2, 7), receives(1, 7)}) ==
        "1 waits for 2, 2 waits for 1");
  CHECK(waiting_circle(std::vector{receives(kAny, 7), receives(kAny, 7)}) ==
        "0 waits for 1, 1 waits for 0");
}

TEST_CASE("a wait for a rank that has ended is no cycle") {
  const std::vector ranks{receives(1, 7), has_ended("returned 0")};
  CHECK(waiting_circle(ranks) == "0 waits for 1, which has ended (returned 0)");
  CHECK(likely_causes(ranks) ==
        Causes{"rank 1 has ended (returned 0), and rank 0 waits for it in MPI_Recv"});
}

TEST_CASE("a rank without a report counts with its wait record") {
  std::vector ranks{receives(1, 7), receives(0, 7)};
  ranks[1].report.reset();
  CHECK(waiting_circle(ranks) == "0 waits for 1, 1 waits for 0");
}

TEST_CASE("a message with another tag, communicator or source") {
  std::vector ranks{receives(1, 1), receives(0, 8)};
  has_come(ranks[1], 0, 7);
  CHECK(likely_causes(ranks) == Causes{"the tags differ: rank 1 waits for tag 8 from rank 0 on "
                                       "MPI_COMM_WORLD, and rank 0 has sent it tag 7"});
  ranks = {receives(1, 1), receives(0, 7, kHalo)};
  has_come(ranks[1], 0, 7);
  CHECK(likely_causes(ranks) ==
        Causes{"the communicators differ: rank 1 waits for tag 7 from rank 0 on halo, and rank 0 "
               "has sent it tag 7 on MPI_COMM_WORLD"});
  ranks = {receives(1, 1), receives(2, 7), receives(0, 1)};
  has_come(ranks[1], 0, 7);
  CHECK(likely_causes(ranks) == Causes{"the ranks differ: rank 1 waits for tag 7 from rank 2 on "
                                       "MPI_COMM_WORLD, and rank 0 has sent it tag 7"});
}

TEST_CASE("a message that went to another rank") {
  std::vector ranks{receives(1, 1), receives(0, 7), receives(1, 3)};
  has_come(ranks[2], 0, 7);
  CHECK(likely_causes(ranks) ==
        Causes{"the message went to another rank: rank 1 waits for tag 7 from rank 0 on "
               "MPI_COMM_WORLD, and rank 0 has sent tag 7 to rank 2"});
}

TEST_CASE("unrelated messages are no cause") {
  std::vector ranks{receives(1, 1), receives(0, 8), receives(0, 1)};
  has_come(ranks[1], 2, 7, kHalo);
  CHECK(likely_causes(ranks) ==
        Causes{"each waits for a message before it sends its own: one of them has to send first"});
}

TEST_CASE("all send, or all receive") {
  CHECK(likely_causes(std::vector{sends(1, 7), sends(0, 7)}) ==
        Causes{"each sends first, and a message of this kind waits for its receive: post the "
               "receive before (MPI_Irecv), or use MPI_Sendrecv"});
  CHECK(likely_causes(std::vector{sends(1, 7), receives(0, 7)}).empty());
}

TEST_CASE("ranks that are not in a collective, and where they are") {
  const std::vector ranks{collective("MPI_Barrier", 3), receives(0, 9),
                          collective("MPI_Barrier", 3), collective("MPI_Barrier", 3)};
  CHECK(waiting_circle(ranks) == "0 waits for 1, 1 waits for 0");
  CHECK(likely_causes(ranks) ==
        Causes{"not all ranks of MPI_COMM_WORLD call the same collective: ranks 0,2-3 are in "
               "MPI_Barrier, but rank 1 is in MPI_Recv from 0, tag 9, communicator MPI_COMM_WORLD, "
               "0 bytes"});
}

TEST_CASE("different collectives with the same number") {
  const std::vector ranks{collective("MPI_Bcast", 3), collective("MPI_Bcast", 3),
                          collective("MPI_Bcast", 3), collective("MPI_Reduce", 3)};
  const Causes causes = likely_causes(ranks);
  REQUIRE(causes.size() == 1);
  CHECK(causes[0] ==
        "not all ranks of MPI_COMM_WORLD call the same collective: ranks 0-2 are in MPI_Bcast, but "
        "rank 3 is in MPI_Reduce, communicator MPI_COMM_WORLD");
}

TEST_CASE("a rank that has completed a collective has entered it") {
  std::vector ranks{collective("MPI_Bcast", 3), collective("MPI_Bcast", 3),
                    collective("MPI_Bcast", 3), receives(0, 9)};
  ranks[3].report->begun_count = 1;
  ranks[3].report->begun[0] = {kWorld, 3};
  CHECK(likely_causes(ranks).empty());
}

TEST_CASE("a cycle of locks") {
  std::vector ranks{locks("MPI_Win_lock", 2, 1), locks("MPI_Win_lock", 3, 0),
                    collective("MPI_Barrier", 3), collective("MPI_Barrier", 3)};
  CHECK(waiting_circle(ranks) == "0 waits for 1, 1 waits for 0");
  CHECK(likely_causes(ranks)[0] ==
        "each holds a lock for which another waits (rank 1 holds the exclusive lock of rank 2 on "
        "window halo, rank 0 holds the exclusive lock of rank 3 on window halo): all ranks have to "
        "lock the targets in the same order");
  ranks[0].report.reset();
  ranks[1].report.reset();
  CHECK(waiting_circle(ranks) == "0 waits for 1, 1 waits for 0");
  CHECK(likely_causes(std::vector{locks("MPI_Win_lock", 1, 0)}) ==
        Causes{"rank 0 waits for a lock that it holds"});
}

TEST_CASE("the holder of a lock waits for something else") {
  std::vector ranks{locks("MPI_Win_lock", 3, 2), locks("MPI_Get", 3, 2), receives(1, 9)};
  CHECK(waiting_circle(ranks) == "1 waits for 2, 2 waits for 1");
  CHECK(likely_causes(ranks) ==
        Causes{"rank 2 holds the exclusive lock of rank 3 on window halo, for which ranks 0-1 "
               "wait, and is in MPI_Recv from 1, tag 9, communicator MPI_COMM_WORLD, 0 bytes"});
  ranks[1] = locks("MPI_Get", 3, 0);  // 1 waits for 0, 0 for 2: the cause is that 2 receives
  CHECK(likely_causes(ranks).size() == 1);
  CHECK(likely_causes(ranks)[0].starts_with("rank 2 holds"));
}

TEST_CASE("the holder of a lock has left MPI") {
  CHECK(likely_causes(std::vector{locks("MPI_Win_lock", 1, 1), collective("MPI_Finalize", 4)}) ==
        Causes{"rank 1 has called MPI_Finalize without MPI_Win_unlock, and rank 0 waits for the "
               "exclusive lock of rank 1 on window halo"});
  const std::vector ranks{locks("MPI_Win_lock", 0, 1, shm::LockMode::shared),
                          has_ended("returned 0")};
  CHECK(waiting_circle(ranks) == "0 waits for 1, which has ended (returned 0)");
  CHECK(likely_causes(ranks) ==
        Causes{"rank 1 has ended (returned 0) without MPI_Win_unlock or MPI_Win_unlock_all, and "
               "rank 0 waits for the shared lock of rank 0 on window halo"});
}

TEST_CASE("a holder that is not known may be any other member") {
  const std::vector ranks{locks("MPI_Win_lock", 3, -1), receives(0, 7), locks("MPI_Win_lock", 3, 1),
                          locks("MPI_Win_lock", 3, 1)};
  CHECK(waiting_circle(ranks) == "0 waits for 1, 1 waits for 0");
  CHECK(likely_causes(ranks).size() == 1);  // of the ranks that know the holder
}

TEST_CASE("MPI_Win_start and MPI_Win_wait wait for calls of other ranks") {
  const auto starts = [](int target) {
    return waits(WaitKind::post, "MPI_Win_start", target, kAnyTag, kHalo);
  };
  const auto exposes = [](int origin) {
    return waits(WaitKind::complete, "MPI_Win_wait", origin, kAnyTag, kHalo);
  };
  CHECK(waiting_circle(std::vector{starts(1), starts(0)}) == "0 waits for 1, 1 waits for 0");
  CHECK(likely_causes(std::vector{starts(1), starts(0)}) ==
        Causes{"each calls MPI_Win_start before its own MPI_Win_post: MPI_Win_start may wait for "
               "MPI_Win_post of the targets, so post first"});
  CHECK(likely_causes(std::vector{exposes(1), exposes(0)}) ==
        Causes{"each calls MPI_Win_wait before its own MPI_Win_complete: MPI_Win_wait waits for "
               "MPI_Win_complete of the origins, so complete first"});
  CHECK(likely_causes(std::vector{starts(1), collective("MPI_Finalize", 4)}) ==
        Causes{"rank 1 is in MPI_Finalize already, and rank 0 waits for it in MPI_Win_start"});
}

TEST_CASE("the messages of a window are not compared with those of the program") {
  std::vector ranks{receives(1, 1), receives(0, 7)};
  has_come(ranks[1], 0, 7, kHalo);
  CHECK(likely_causes(ranks)[0].starts_with("the communicators differ"));
  std::strcpy(ranks[1].report->arrived[0].communicator, "window halo");
  CHECK(likely_causes(ranks)[0].starts_with("each waits for a message"));
}

TEST_CASE("a rank that leaves MPI while others wait for it") {
  CHECK(likely_causes(std::vector{receives(1, 7), collective("MPI_Finalize", 4), receives(1, 7)}) ==
        Causes{"rank 1 is in MPI_Finalize already, and ranks 0,2 wait for it in MPI_Recv"});
}

}  // namespace
}  // namespace atl::launcher
