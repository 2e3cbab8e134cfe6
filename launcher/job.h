// One job, from its plan to its exit status.
#pragma once

#include "launcher/placement/plan.h"

namespace atl::launcher {

// `environment` is that of mpiexec. What the plan leaves open is filled in. Returns
// the exit status of mpiexec.
int run_job(Plan& plan, char** environment);

}  // namespace atl::launcher
