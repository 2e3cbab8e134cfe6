#include "launcher/wait_table.h"

#include <doctest/doctest.h>

#include <cstring>

namespace atl::launcher {
namespace {

constexpr std::int64_t kSecond = 1000000000;

shm::WaitInfo waiting(const char* call, int peer, int peer_world, int tag) {
  shm::WaitInfo info;
  std::strcpy(info.call, call);
  std::strcpy(info.communicator, "MPI_COMM_WORLD");
  info.peer = peer;
  info.peer_world = peer_world;
  info.tag = tag;
  info.requests = 1;
  info.since_ns = 5 * kSecond;
  return info;
}

TEST_CASE("a wait says call, partner, tag and communicator") {
  CHECK(describe_wait(waiting("MPI_Recv", 1, 1, 7)) ==
        "MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD");
  CHECK(describe_wait(waiting("MPI_Ssend", 0, 3, 0)) ==
        "MPI_Ssend to 0, tag 0, communicator MPI_COMM_WORLD");
  CHECK(describe_wait(waiting("MPI_Recv", -1, -1, -2)) ==
        "MPI_Recv from any source, any tag, communicator MPI_COMM_WORLD");
  CHECK(describe_wait(waiting("MPI_Sendrecv", 2, 2, 1)) ==
        "MPI_Sendrecv with 2, tag 1, communicator MPI_COMM_WORLD");
  CHECK(describe_wait(waiting("MPI_Barrier", -3, -1, -2)) ==
        "MPI_Barrier, communicator MPI_COMM_WORLD");
}

TEST_CASE("waiting for several requests says how many") {
  shm::WaitInfo info = waiting("MPI_Waitall", -3, -1, -2);
  info.requests = 5;
  info.communicator[0] = '\0';
  CHECK(describe_wait(info) == "MPI_Waitall for 5 requests");
}

TEST_CASE("a name without end is cut, not overrun") {
  shm::WaitInfo info = waiting("MPI_Recv", 1, 1, 7);
  std::memset(info.communicator, 'x', sizeof info.communicator);
  CHECK(describe_wait(info) ==
        "MPI_Recv from 1, tag 7, communicator " + std::string(sizeof info.communicator, 'x'));
}

TEST_CASE("the table has a line for each rank") {
  const RankState ranks[] = {
      {true, shm::Life::initialized, waiting("MPI_Recv", 1, 1, 7)},
      {true, shm::Life::initialized, std::nullopt},
      {true, shm::Life::launched, std::nullopt},
      {true, shm::Life::finalized, std::nullopt},
      {false, shm::Life::initialized, waiting("MPI_Recv", 1, 1, 7)},
  };
  CHECK(wait_table(ranks, 5 * kSecond + 2100000000) ==
        "rank 0: MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD, waits 2.1 s\n"
        "rank 1: does not wait in MPI\n"
        "rank 2: has not called MPI_Init\n"
        "rank 3: has called MPI_Finalize\n"
        "rank 4: has ended");
}

}  // namespace
}  // namespace atl::launcher
