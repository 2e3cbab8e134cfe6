// Phrases about ranks, of which the sentences of a diagnosis consist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/diagnose/wait_table.h"

namespace atl::launcher {

inline constexpr std::string_view kFinalize = "MPI_Finalize";

inline const RankState& state_of(std::span<const RankState> ranks, int rank) {
  return ranks[static_cast<std::size_t>(rank)];
}

// "rank 1", "ranks 0-2,5".
inline std::string named(const std::vector<int>& ranks) {
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", ranges(ranks));
}

// "rank 1 waits", "ranks 0-2,5 wait".
inline std::string named_as_waiting(const std::vector<int>& ranks) {
  return fmt::format("{} {}", named(ranks), ranks.size() == 1 ? "waits" : "wait");
}

inline std::string ended(const RankState& rank) {
  return rank.how_ended.empty() ? "has ended" : fmt::format("has ended ({})", rank.how_ended);
}

// Whether the rank waits in MPI_Finalize, and nowhere else.
inline bool leaves(const RankState& rank) {
  const auto waits = waits_of(rank);
  return waits.size() == 1 && text_of(waits[0].call) == kFinalize;
}

}  // namespace atl::launcher
