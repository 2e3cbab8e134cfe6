// Finds the process of a rank by its pid in this process's PID namespace. A rank may run in a
// PID namespace of its own (unshare, bwrap, Apptainer), where its pid is another one.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shm/job.h"

namespace atl::launcher {

// 0: the rank has not called MPI_Init, its process has ended, or is not visible from
// here. In this process's own namespace the result stays the rank's pid after it has ended.
pid_t rank_process(const shm::RankSlot& slot);

// Whether the process with the pid `seen` here has the pid `pid` in the PID namespace
// `pid_namespace` (shm/pid_namespace.h).
bool is_process(pid_t seen, std::int32_t pid, std::uint64_t pid_namespace);

}  // namespace atl::launcher
