// The cores of this node, as placement needs them. The only user of hwloc.
#pragma once

#include <vector>

#include "launcher/cpu_set.h"
#include "shm/location.h"

struct hwloc_topology;

namespace atl::launcher {

struct Core {
  shm::Location at;
  int speed = 0;          // kind of core on hybrid chips: higher is faster
  std::vector<int> cpus;  // processing units that the job may use; empty: none of this core
};

// Cores in hwloc's order: neighbours share caches.
using Topology = std::vector<Core>;

// Reads this node's topology from the system.
Topology read_topology(const CpuSet& allowed);

// The same from a topology that hwloc has loaded, for synthetic ones.
Topology describe_topology(hwloc_topology* loaded, const CpuSet& allowed);

// The cores that the job may use.
Topology usable_cores(const Topology& topology);

}  // namespace atl::launcher
