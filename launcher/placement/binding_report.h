// A drawing of the node with the ranks in it (--report-bindings).
#pragma once

#include <span>
#include <string>

#include "launcher/hardware/topology.h"
#include "launcher/placement/placement.h"

namespace atl::launcher {

// `taken`: processing units that other jobs have leased. The text ends with a newline.
std::string report(const Topology& topology, const CpuSet& taken,
                   std::span<const RankPlace> places);

}  // namespace atl::launcher
