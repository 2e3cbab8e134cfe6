// Every PID namespace has its own pids, so a pid identifies a process only together with its
// namespace.
#pragma once

#include <cstdint>

namespace atl::shm {

// Identifies the PID namespace of the process with the proc directory `folder`, "/proc/self" or
// "/proc/123". Equal for two processes exactly when every pid means the same to both. 0: unknown.
std::uint64_t pid_namespace(const char* folder);

}  // namespace atl::shm
