// MPI_INFO_ENV: how this program was started (MPI 5.0, 11.5).
#pragma once

#include "runtime/objects/info.h"

namespace atl {

// Gathered at the first call, which may be before MPI_Init, from what mpiexec
// has put into the environment and from the system.
const Info& info_env();

}  // namespace atl
