// Asks the ranks of a job what they wait for.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "launcher/diagnose/wait_table.h"
#include "shm/segment.h"

namespace atl::launcher {

// The first `ranks` ranks. `runs` tells of a rank whether its process has not
// ended. Ranks that sleep in MPI are woken to answer in full and sleep on; those
// that do not answer within a second, or are stopped, are described by what they
// wrote before they slept.
std::vector<RankState> inquire(const shm::Segment& segment, std::uint32_t ranks,
                               const std::function<bool(std::uint32_t)>& runs);

}  // namespace atl::launcher
