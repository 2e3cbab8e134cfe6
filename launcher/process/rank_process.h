// The process of a rank, by the pid that it has here: a rank may have been started
// in a PID namespace of its own (unshare, bwrap, Apptainer), where it counts pids anew.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shm/job.h"

namespace atl::launcher {

// 0: the rank has not called MPI_Init, its process has ended, or cannot be seen from
// here. In this process's own namespace the pid of a rank is known when it has ended.
pid_t rank_process(const shm::RankSlot& slot);

// Whether the process that is `seen` here is `pid` in the PID namespace
// `pid_namespace` (shm/pid_namespace.h).
bool is_process(pid_t seen, std::int32_t pid, std::uint64_t pid_namespace);

}  // namespace atl::launcher
