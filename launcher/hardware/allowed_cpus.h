// The resources of the node that this job may use: the affinity mask and the CPU quota of
// its control groups.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launcher/hardware/cpu_set.h"

namespace atl::launcher {

struct AllowedCpus {
  CpuSet cpus;
  int quota = 0;  // CPU time in processing units, rounded down, at least 1; 0 = no limit
};

AllowedCpus read_allowed_cpus();

// The quota in processing units from "MAX PERIOD", the format of cpu.max; nothing for "max".
std::optional<double> parse_cpu_max(std::string_view text);

// The smallest quota of this process's control group and its ancestors, in either
// version of control groups. `process_groups` is /proc/self/cgroup, `mount` is where control
// groups are mounted.
std::optional<double> read_quota(const std::string& process_groups, const std::string& mount);

}  // namespace atl::launcher
