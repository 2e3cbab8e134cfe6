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

TEST_CASE("a rank that leaves MPI while others wait for it") {
  CHECK(likely_causes(std::vector{receives(1, 7), collective("MPI_Finalize", 4), receives(1, 7)}) ==
        Causes{"rank 1 is in MPI_Finalize already, and ranks 0,2 wait for it in MPI_Recv"});
}

}  // namespace
}  // namespace atl::launcher
