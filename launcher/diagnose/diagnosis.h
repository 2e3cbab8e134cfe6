// Diagnoses why the ranks of a deadlocked job wait for each other: a pure function of their
// reports.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "launcher/diagnose/wait_table.h"

namespace atl::launcher {

// "0 waits for 1, 1 waits for 0": the shortest cycle, or else a rank that waits for a
// rank that has ended. Empty when there is neither.
std::string waiting_circle(std::span<const RankState> ranks);

// Probable errors of the program, a sentence each, the most probable first.
std::vector<std::string> likely_causes(std::span<const RankState> ranks);

}  // namespace atl::launcher
