// Ranks that wait for a debugger.
#pragma once

namespace atl {

// Where mpiexec --stop-at-init means this rank: returns when a debugger has attached
// to it, or SIGCONT has come.
void wait_for_debugger();

}  // namespace atl
