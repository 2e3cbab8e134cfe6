// The current activity of a rank, read from its memory.
#pragma once

#include <optional>
#include <string>

#include "shm/activity.h"
#include "shm/job.h"

namespace atl::launcher {

// Nothing when the rank is not in MPI, has ended, or its memory must not be read.
std::optional<shm::Activity> read_activity(const shm::RankSlot& slot);

// The MPI function that the rank executes; empty: none, or not known.
std::string current_call(const shm::RankSlot& slot);

}  // namespace atl::launcher
