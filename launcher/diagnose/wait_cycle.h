// Finds ranks that wait for each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "launcher/diagnose/wait_dependencies.h"

namespace atl::launcher {

// The ranks of the shortest cycle, each of which waits for the next one and the last for the
// first; empty when there is none. Waits for any one of several ranks count only if `weak`.
std::vector<int> shortest_cycle(std::span<const WaitDependency> dependencies, std::size_t ranks,
                                bool weak);

}  // namespace atl::launcher
