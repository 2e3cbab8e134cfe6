// How a rank that is no child of mpiexec learns that mpiexec has ended: mpiexec
// holds a record lock (fcntl) on the job's memory, which the kernel drops with its
// holder. Unlike its pid it means the same in every PID namespace, and is never
// given to another process.
#pragma once

namespace atl::shm {

// mpiexec, before it starts ranks; `segment` is the descriptor of the job's memory.
// Held until this process ends or closes any descriptor of that memory. False: errno.
bool hold_launcher_lock(int segment);

// A rank, with its own descriptor of that memory.
bool launcher_lives(int segment);

}  // namespace atl::shm
