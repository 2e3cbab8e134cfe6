// What a rank does at this moment, read from its memory.
#pragma once

#include <optional>
#include <string>

#include "shm/activity.h"
#include "shm/job.h"

namespace atl::launcher {

// Nothing when the rank is not in MPI, has ended, or must not be looked at.
std::optional<shm::Activity> read_activity(const shm::RankSlot& slot);

// The MPI function that it executes; empty: none, or not known.
std::string current_call(const shm::RankSlot& slot);

}  // namespace atl::launcher
