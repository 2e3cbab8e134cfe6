// One job, from its plan to its exit status.
#pragma once

#include "launcher/plan.h"

namespace atl::launcher {

// `environment` is that of mpiexec. Returns the exit status of mpiexec.
int run_job(const Plan& plan, char** environment);

}  // namespace atl::launcher
