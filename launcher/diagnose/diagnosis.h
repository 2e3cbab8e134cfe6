// Why the ranks of a job that waits for ever wait for each other: a pure
// function of what they have told.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "launcher/diagnose/wait_table.h"

namespace atl::launcher {

// "0 waits for 1, 1 waits for 0": the shortest circle, or else who waits for a
// rank that has ended. Empty when the state shows neither.
std::string waiting_circle(std::span<const RankState> ranks);

// What probably is wrong with the program, a sentence each, the best first.
std::vector<std::string> likely_causes(std::span<const RankState> ranks);

}  // namespace atl::launcher
