// The rules of epochs (MPI 5.0, 12.5): which synchronization call is allowed when.
#pragma once

#include "runtime/core/error.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

// MPI_ERR_ASSERT when `assertion` has bits that the call does not know.
Error check_assertion(int assertion, int known);

// MPI_ERR_RMA_SYNC when an access epoch is open that MPI_Win_start or a lock opened.
Error check_no_start_or_lock(const WindowState& state);
// The same, or when operations were called since the last fence: `call` may not begin another
// epoch.
Error check_no_access(const WindowState& state, const char* call);
// MPI_ERR_RMA_SYNC when operations were called since the last fence.
Error check_fence_unused(const WindowState& state, const char* call);
// MPI_ERR_RMA_SYNC between MPI_Win_post and MPI_Win_wait.
Error check_not_exposed(const WindowState& state);

[[gnu::cold]] Error not_exposed(const WindowState& state);

// MPI_ERR_RMA_SYNC: a call that ends the epoch of `opener`, which is not open.
[[gnu::cold]] Error wrong_epoch(const WindowState& state, const char* opener);

// Sets the access epoch, which `call` opens or ends.
void open_epoch(WindowState& state, Epoch epoch, const char* call);

// Allows operations to a target and remembers it.
void hold(WindowState& state, int rank, Hold how);

}  // namespace atl::rma
