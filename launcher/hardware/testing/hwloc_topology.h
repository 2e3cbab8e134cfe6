// Topologies from hwloc: of nodes that it makes up, and to compare with.
#pragma once

#include "launcher/hardware/topology.h"

struct hwloc_topology;

namespace atl::launcher::testing {

// The cores of a topology that hwloc has loaded.
Topology describe_topology(hwloc_topology* loaded, const CpuSet& allowed);

// What hwloc reads from the system; from another root than "/", if one is named.
Topology read_by_hwloc(const CpuSet& allowed, const char* root = nullptr);

}  // namespace atl::launcher::testing
