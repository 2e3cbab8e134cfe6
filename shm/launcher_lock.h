// How a rank that is not a child of mpiexec detects that mpiexec has ended: mpiexec holds an
// fcntl record lock on the segment, which the kernel drops when its holder ends. Unlike a pid,
// the lock is valid in every PID namespace and never passes to another process.
#pragma once

namespace atl::shm {

// Called by mpiexec before it starts ranks; `segment` is the segment's descriptor. The lock is
// held until this process ends or closes any descriptor of the segment. False: see errno.
bool hold_launcher_lock(int segment);

// Called by a rank, with its own descriptor of the segment.
bool launcher_lives(int segment);

}  // namespace atl::shm
