// What this job may use of the node: the affinity mask and the CPU quota of
// the control groups it runs in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launcher/hardware/cpu_set.h"

namespace atl::launcher {

struct AllowedCpus {
  CpuSet cpus;
  int quota = 0;  // processing units' worth of time, rounded down, at least 1; 0 = no limit
};

AllowedCpus read_allowed_cpus();

// The quota in units from "MAX PERIOD" as cpu.max has it; nothing for "max".
std::optional<double> parse_cpu_max(std::string_view text);

// The smallest quota on the way from this process's control group to the root,
// in either version of control groups. `process_groups` is /proc/self/cgroup,
// `mount` where control groups are mounted.
std::optional<double> read_quota(const std::string& process_groups, const std::string& mount);

}  // namespace atl::launcher
