// The environment of the ranks: the variables of mpiexec that the options select,
// without those that an outer mpiexec set, then the variables of the options, then Atoll's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launcher/placement/plan.h"

namespace atl::launcher {

// The environment of the ranks of one part; for_rank() sets the variables that differ from
// rank to rank.
class RankEnvironment {
 public:
  // `environment` is that of mpiexec, null-terminated; `part` is one of the plan's;
  // `job` is the value of ATOLL_JOB.
  RankEnvironment(char** environment, const Plan& plan, const Part& part, const std::string& job);

  // For execve; valid until the next call.
  char* const* for_rank(int rank);

 private:
  void set(const std::string& name, const std::string& value);
  void describe(const Part& part);

  std::vector<std::string_view> rank_names_;  // of the variables that hold the rank
  std::vector<std::string> entries_;          // NAME=VALUE
  std::vector<std::string> rank_entries_;     // of the rank of the last call
  std::vector<char*> pointers_;
};

}  // namespace atl::launcher
