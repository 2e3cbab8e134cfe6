// Asks the ranks of a job what they wait for.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "launcher/diagnose/wait_table.h"
#include "shm/segment.h"

namespace atl::launcher {

// Returns the states of the first `ranks` ranks. `runs` returns whether the process of a rank
// has not ended. Ranks that sleep in MPI are woken, write a report and sleep again; ranks that
// do not reply within a second, or are stopped, are described by the wait record that they
// wrote before they slept.
std::vector<RankState> inquire(const shm::Segment& segment, std::uint32_t ranks,
                               const std::function<bool(std::uint32_t)>& runs);

}  // namespace atl::launcher
