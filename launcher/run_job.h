// One job, from its plan to its exit status.
#pragma once

#include "launcher/placement/plan.h"

namespace atl::launcher {

// `environment` is that of mpiexec. Sets the values that the command line left open in the
// plan. Returns the exit status of mpiexec.
int run_job(Plan& plan, char** environment);

// A dry run: draws where the ranks would be placed, on standard output. Returns the exit
// status of mpiexec.
int show_placement(Plan& plan);

}  // namespace atl::launcher
