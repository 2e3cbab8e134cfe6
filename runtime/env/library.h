// The MPI library in this process: it runs from the first MPI_Init or MPI_Session_init to the last
// MPI_Finalize or MPI_Session_finalize, and may be started again. The segment and the state of the
// first start, such as the rings to other ranks, stay.
#pragma once

#include "runtime/core/error.h"

namespace atl::env {

// Adds a user: the world model or a session. `threads`: it requests calls from several threads at
// a time. process.threaded tells afterwards whether these are allowed: it does not change while
// another thread may be in a call without the lock. The caller holds the process lock.
Error open(bool threads);

// Removes a user. The last one waits until all sends have left this rank.
void close();

// Makes progress until all sends have left this rank: queued messages need this rank's progress.
void flush_sends();

bool is_main_thread();

}  // namespace atl::env
