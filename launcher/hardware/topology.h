// The cores of this node, as placement needs them.
//
// They are read from the folders in which Linux shows them, of the processing units
// that the job may use and no others, and what units share, once for all of them:
// a job of two ranks costs so few system calls that hwloc, which reads all there is
// for each unit, does not (decision 8). hwloc's names and order remain; the tests
// compare.
#pragma once

#include <string>
#include <vector>

#include "launcher/hardware/cpu_set.h"
#include "shm/location.h"

namespace atl::launcher {

struct Core {
  shm::Location at;
  int speed = 0;          // kind of core on hybrid chips: higher is faster
  std::vector<int> cpus;  // processing units that the job may use; never empty
};

// Cores that the job may use, in hwloc's order: neighbours share caches.
using Topology = std::vector<Core>;

inline constexpr const char* kDevices = "/sys/devices";

// `devices`: kDevices, or a folder that looks like it.
Topology read_topology(const CpuSet& allowed, const std::string& devices = kDevices);

}  // namespace atl::launcher
