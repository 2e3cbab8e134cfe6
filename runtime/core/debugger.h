// Ranks that wait for a debugger.
#pragma once

namespace atl {

// Where mpiexec --stop-at-init means this rank: stops it, until a debugger or
// SIGCONT lets it go on.
void stop_for_debugger();

}  // namespace atl
