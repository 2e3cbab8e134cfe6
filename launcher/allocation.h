// The places of the ranks of a job, and the cores that it leases.
#pragma once

#include <variant>
#include <vector>

#include "launcher/placement/leases.h"
#include "launcher/placement/placement.h"
#include "launcher/placement/plan.h"
#include "launcher/process/program_file.h"

namespace atl::launcher {

struct Allocation {
  std::vector<RankPlace> places;  // one a rank
  int cpus = 1;                   // processing units that the job may use
  bool shared_cores = false;
  Leases leases{""};  // of the processing units that ranks are bound to, held by this object
};

// Computes the number of ranks for --map-by ppr and stores it in the plan. Prints a drawing
// of the places if the plan requests it.
std::variant<Allocation, StartFailure> allocate_cpus(Plan& plan);

}  // namespace atl::launcher
