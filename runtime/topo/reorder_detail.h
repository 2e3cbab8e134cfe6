// What the two ways to reorder have in common.
#pragma once

#include <vector>

#include "runtime/topo/reorder.h"

namespace atl::topo::detail {

// All ranks, those that share more levels side by side.
std::vector<int> ranks_by_place(const Places& places);

// `found`, if it costs less than to leave everything as it is.
Mapping better(Mapping found, const std::vector<Edge>& edges, const Places& places);

}  // namespace atl::topo::detail
