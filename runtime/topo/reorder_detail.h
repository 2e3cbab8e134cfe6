// Shared by map_grid() and map_graph().
#pragma once

#include <vector>

#include "runtime/topo/reorder.h"

namespace atl::topo::detail {

// All ranks, sorted so that ranks that share more levels are closer together.
std::vector<int> ranks_by_location(const Locations& locations);

// `found` if its cost is lower than that of unchanged(), else unchanged().
Mapping better(Mapping found, const std::vector<Edge>& edges, const Locations& locations);

}  // namespace atl::topo::detail
