// Passive target synchronization (MPI 5.0, 12.5.3 to 12.5.5): locks, flush, sync.
//
// A lock is taken by the origin alone, with atomic instructions on a word in the target's heap
// (shm/window_lock.h). MPI_Win_lock_all takes the lock of a target when the first operation goes
// there, but at once that of this process, and all of them when the program may access the memory
// by loads and stores (docs/decisions/0015-one-sided.md).
#pragma once

#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

Error lock(int lock_type, int rank, int assertion, Window& win);
Error unlock(int rank, Window& win);
Error lock_all(int assertion, Window& win);
Error unlock_all(Window& win);

Error flush(int rank, Window& win);
Error flush_all(Window& win);
Error flush_local(int rank, Window& win);
Error flush_local_all(Window& win);
Error sync(Window& win);

// The first operation to a target since MPI_Win_lock_all.
Error lock_lazily(WindowState& state, Target& target);

}  // namespace atl::rma
