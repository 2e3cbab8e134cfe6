// What each rank of a job is waiting for, as text.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shm/job.h"
#include "shm/wait_record.h"

namespace atl::launcher {

struct RankState {
  bool running = true;
  bool damaged = false;  // some of what it has written is what no rank writes
  shm::Life life = shm::Life::launched;
  std::optional<shm::WaitInfo> waiting;  // in short
  std::string crash{};                   // where a signal met it, empty if it could not say
  std::string how_ended{};               // "returned 0"; empty while it runs

  // Of the process while it runs.
  pid_t pid = 0;        // 0: not known
  char process = '\0';  // state_of()
  std::string call{};   // the MPI function that it executes without sleeping

  // What it has answered; without an answer `waiting` is all there is.
  std::optional<shm::ReportInfo> report;
  std::vector<std::string> sources;  // of `waiting`, or of each wait of the report
};

// "MPI_Recv from 1, tag 7, communicator halo of size 4, 8 bytes".
std::string describe_wait(const shm::WaitInfo& waiting);

// The waits of a rank's threads, in full or in short, whichever is known.
std::vector<shm::WaitInfo> waits_of(const RankState& rank);

// One line a rank, or one for each of its threads in MPI. `now_ns` is CLOCK_MONOTONIC.
std::string wait_table(std::span<const RankState> ranks, std::int64_t now_ns);

// As wait_table(), in one line: ranks that wait alike stand together, and those
// outside MPI are left out. Empty when all are.
std::string wait_summary(std::span<const RankState> ranks);

}  // namespace atl::launcher
