// What the ranks of a job have done between two moments (atoll top).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shm/activity.h"
#include "shm/segment.h"

namespace atl::launcher {

// A rank at one moment.
struct RankSample {
  pid_t pid = 0;                            // 0: not known
  double processor_seconds = 0;             // used so far
  std::optional<shm::Activity> activity{};  // nothing: it may not be looked at
  bool in_mpi = false;
  std::string doing{};  // the call it waits or works in
};

std::vector<RankSample> sample_ranks(const shm::Segment& segment);

// Counts how many of several looks have found each rank in MPI.
struct Interval {
  std::vector<RankSample> before;
  std::vector<RankSample> after;
  std::vector<int> looks_in_mpi;
  int looks = 0;
  double seconds = 0;
};

// Looks at the ranks for so long.
Interval watch_ranks(const shm::Segment& segment, double seconds);

// A heading and a line for each rank.
std::string top_table(const Interval& interval);

// "950", "12k", "3.4M".
std::string in_short(double number);

}  // namespace atl::launcher
