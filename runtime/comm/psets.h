// Process sets (MPI 5.0, 11.3.2): names for groups that this process is in.
//
//   mpi://WORLD    all processes that mpiexec started together
//   mpi://SELF     this process
//   hwloc://TYPE   those that are confined to the same NUMANode, Core, ... as this
//                  process; there is one for each kind that it is confined to
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/comm/rank_map.h"

namespace atl {

// The process sets of this process; the same ones, in the same order, at each call.
const std::vector<std::string>& pset_names();

// Nothing when this process has no such set.
std::optional<RankMap> pset_members(std::string_view name);

}  // namespace atl
