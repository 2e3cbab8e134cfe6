// MPI in this process: from the first MPI_Init or MPI_Session_init to the last
// MPI_Finalize or MPI_Session_finalize, and from there to the next. What was
// joined and learnt at the first start, such as the rings to other ranks, stays.
#pragma once

#include "runtime/core/fault.h"

namespace atl::env {

// One user more: the world model or a session. It asks for calls from several
// threads at a time; whether they may come is told by process.threaded: where
// calls of another thread may be under way without the lock, it stays as it is.
// The caller holds the process lock.
Fault open(bool threads);

// One user less. The last one waits for what is still on its way out.
void close();

// Ends what was sent: messages still on their way out need this rank's help.
void flush_sends();

bool is_main_thread();

}  // namespace atl::env
