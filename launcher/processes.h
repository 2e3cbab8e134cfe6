// What /proc knows about the processes of a job.
#pragma once

#include <sys/types.h>

#include <vector>

namespace atl::launcher {

// The processes below `ancestor`, at any depth, as far as they can be seen.
std::vector<pid_t> descendants(pid_t ancestor);

// The processing unit that a process ran on last, also when it has ended and
// was not waited for yet; -1 when it is not known.
int last_cpu(pid_t pid);

}  // namespace atl::launcher
