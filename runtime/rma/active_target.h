// Active target synchronization (MPI 5.0, 12.5.1, 12.5.2): fence, and post-start-complete-wait.
//
// Operations are complete when their calls return. So MPI_Win_fence is a barrier, and MPI_Win_post
// and MPI_Win_complete are messages of 0 bytes in the window's own communicator.
#pragma once

#include "runtime/comm/group.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"

namespace atl::rma {

Error fence(int assertion, Window& win);

Error post(Group& group, int assertion, Window& win);
Error start(Group& group, int assertion, Window& win);
Error complete(Window& win);
Error wait(Window& win);
Error test(Window& win, int* flag);

}  // namespace atl::rma
