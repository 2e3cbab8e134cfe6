// MPI_INFO_ENV: how this program was started (MPI 5.0, 11.5).
#pragma once

#include "runtime/objects/info.h"

namespace atl {

// The first call, which may be before MPI_Init, gathers the values from the environment that
// mpiexec has set and from the system.
const Info& info_env();

}  // namespace atl
