// Where the ranks of a job sit, and the cores that belong to it.
#pragma once

#include <variant>
#include <vector>

#include "launcher/placement/leases.h"
#include "launcher/placement/placement.h"
#include "launcher/placement/plan.h"
#include "launcher/process/program.h"

namespace atl::launcher {

struct Allocation {
  std::vector<RankPlace> places;  // one a rank
  int cpus = 1;                   // processing units that the job may use
  bool shared_cores = false;
  Leases leases{""};  // of what ranks are bound to, as long as this lives
};

// The number of ranks that --map-by ppr means is entered into the plan. Draws the places
// where the plan asks for it.
std::variant<Allocation, StartFailure> allocate_cpus(Plan& plan);

}  // namespace atl::launcher
