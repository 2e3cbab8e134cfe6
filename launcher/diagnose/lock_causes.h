// Diagnoses waits for the locks of windows (MPI 5.0, section 12.5.3).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "launcher/diagnose/wait_dependencies.h"

namespace atl::launcher {

// Probable errors of the program, a sentence each: locks that ranks take in different orders, and
// locks whose holder waits for something else or has left MPI.
std::vector<std::string> lock_causes(std::span<const RankState> ranks,
                                     std::span<const WaitDependency> dependencies);

}  // namespace atl::launcher
