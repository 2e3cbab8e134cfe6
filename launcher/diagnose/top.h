// The activity of the ranks of a job during an interval (atoll top).
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

// A sample of a rank.
struct RankSample {
  pid_t pid = 0;                            // 0: not known
  double processor_seconds = 0;             // used so far
  std::optional<shm::Activity> activity{};  // nothing: the rank's memory may not be read
  bool in_mpi = false;
  std::string doing{};  // the MPI call in which it waits or works
};

std::vector<RankSample> sample_ranks(const shm::Segment& segment);

// Counts the samples in which each rank was in MPI.
struct Interval {
  std::vector<RankSample> before;
  std::vector<RankSample> after;
  std::vector<int> samples_in_mpi;
  int samples = 0;
  double seconds = 0;
};

// Samples the ranks for `seconds`.
Interval watch_ranks(const shm::Segment& segment, double seconds);

// A heading and a line for each rank.
std::string top_table(const Interval& interval);

// "950", "12k", "3.4M".
std::string in_short(double number);

}  // namespace atl::launcher
