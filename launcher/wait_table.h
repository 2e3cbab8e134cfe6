// What each rank of a job is waiting for, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "shm/job.h"
#include "shm/wait_record.h"

namespace atl::launcher {

struct RankState {
  bool running = true;
  shm::Life life = shm::Life::launched;
  std::optional<shm::WaitInfo> waiting;
  std::string crash{};  // where a signal met it, empty if it could not say
};

// What a rank's slot says now.
RankState read_state(const shm::RankSlot& slot, bool running);

// "MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD".
std::string describe_wait(const shm::WaitInfo& waiting);

// One line a rank. `now_ns` is CLOCK_MONOTONIC.
std::string wait_table(std::span<const RankState> ranks, std::int64_t now_ns);

}  // namespace atl::launcher
