// Pids are counted in each PID namespace anew: a number names a process only
// together with its namespace.
#pragma once

#include <cstdint>

namespace atl::shm {

// The PID namespace of the process behind `folder`, "/proc/self" or "/proc/123":
// equal for two processes exactly when each pid means the same to both. 0: the
// system does not tell.
std::uint64_t pid_namespace(const char* folder);

}  // namespace atl::shm
