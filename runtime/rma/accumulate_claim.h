// Takes the guard of a target for accumulates (shm/accumulate_guard.h).
#pragma once

#include "runtime/core/error.h"
#include "runtime/core/process.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

using UpdateKind = shm::AccumulateGuard::Kind;

// Waits until the guard is claimed for this process. `claimed` is false when the operation is small
// and small operations need no claim any more.
Error claim(WindowState& state, Target& target, UpdateKind kind, bool& claimed);

// Runs `operation` while no bulk operation of another process changes the memory of the target, and
// no other operation at all if it is one itself.
template <class Operation>
Error guarded(WindowState& state, Target& target, UpdateKind kind, Operation operation) {
  // Nobody else may access the target.
  if (target.hold == Hold::exclusive) return operation();
  WindowBlock* block = state.block_of(target);
  if (__builtin_expect(block == nullptr, 0)) return no_block(state, target);
  for (;;) {
    if (kind == UpdateKind::small &&
        __builtin_expect(block->guard.enter_small(state.block->mark, process.fence), 1)) {
      Error error = operation();
      shm::AccumulateGuard::leave_small(state.block->mark);
      return error;
    }
    bool claimed = false;
    if (Error error = claim(state, target, kind, claimed)) return error;
    if (!claimed) continue;
    Error error = operation();
    block->guard.release(kind, static_cast<std::uint32_t>(state.rank));
    return error;
  }
}

}  // namespace atl::rma
