// Ranks that wait for a debugger.
#pragma once

namespace atl {

// If mpiexec --stop-at-init names this rank: returns when a debugger has attached to it or
// SIGCONT has arrived.
void wait_for_debugger();

}  // namespace atl
