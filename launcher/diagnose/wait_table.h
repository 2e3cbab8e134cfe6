// Describes what each rank of a job is waiting for.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shm/job.h"
#include "shm/wait_record.h"

namespace atl::launcher {

struct RankState {
  bool running = true;
  bool damaged = false;  // its rank slot has values that no rank writes
  shm::Life life = shm::Life::launched;
  std::optional<shm::WaitInfo> waiting;  // its wait record
  std::string crash{};                   // describe_crash(); empty if not known
  std::string how_ended{};               // "returned 0"; empty while it runs

  // Of the process while it runs.
  pid_t pid = 0;        // 0: not known
  char process = '\0';  // state_of()
  std::string call{};   // the MPI function that it executes without sleeping

  // Its reply to inquire(); without a reply only `waiting` is known.
  std::optional<shm::ReportInfo> report;
  std::vector<std::string> sources;  // of `waiting`, or of each wait of the report
};

// "3", or "3 (rank 5 of the job)" when the ranks differ.
std::string rank_and_job_rank(std::int32_t rank, std::int32_t world);

// "exclusive ", "shared ", or nothing.
std::string lock_adjective(shm::LockMode mode);

// Whether the label of a communicator is that of the private one of a window.
bool is_window(std::string_view label);

// "MPI_Recv from 1, tag 7, communicator halo of size 4, 8 bytes",
// "MPI_Win_lock for the exclusive lock of rank 0, window halo of size 4, held shared by rank 2".
std::string describe_wait(const shm::WaitInfo& waiting);

// The waits of a rank's threads: those of the report, or else `waiting`.
std::vector<shm::WaitInfo> waits_of(const RankState& rank);

// One line per rank, or one for each of its threads in MPI. `now_ns` is CLOCK_MONOTONIC.
std::string wait_table(std::span<const RankState> ranks, std::int64_t now_ns);

// As wait_table(), in one line: ranks with equal waits are grouped, and ranks outside MPI
// are left out. Empty when all are.
std::string wait_summary(std::span<const RankState> ranks);

}  // namespace atl::launcher
