// The request forms of operations (MPI 5.0, 12.3.5).
#pragma once

#include <mpi.h>

#include "runtime/core/error.h"
#include "runtime/p2p/request.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

// MPI_ERR_RMA_SYNC outside of a passive target epoch, where the standard does not allow them.
[[gnu::cold]] Error not_passive(const WindowState& state);

// Runs the operation, which is complete when it returns, and sets `request` to a complete request.
template <class Operation>
Error with_request(Window& window, MPI_Request* request, Operation operation) {
  const WindowState& state = state_of(window);
  if (state.epoch != Epoch::locks && state.epoch != Epoch::lock_all) return not_passive(state);
  if (Error error = operation()) return error;
  *request = p2p::handle_of(p2p::done_at_once());
  return {};
}

}  // namespace atl::rma
