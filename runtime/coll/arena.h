// Collectives through the arena of a communicator (channel.h): what a rank gives
// lies in shared memory, and the others read it there.
//
// "flat": the data of each rank is one entry or cell, and whoever needs it reads
// them all. "cells": longer data goes through in steps of a cell, each rank writing
// the next one while the others read. "parts": as that, and each rank reduces a
// part of each cell for all.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/coll/calls.h"

namespace atl::coll::arena {

// How many steps move `amount`, so much in each; there is one at least.
inline Step steps_for(std::size_t amount, std::size_t per_step) {
  return std::max<std::size_t>((amount + per_step - 1) / per_step, 1);
}

// How much of it belongs to step number `k`.
inline std::size_t length_in(Step k, std::size_t amount, std::size_t per_step) {
  const std::size_t start = k * per_step;
  return start >= amount ? 0 : std::min(per_step, amount - start);
}

Task barrier(const Barrier& call, Operation& operation, Turn turn);
Task bcast(const Bcast& call, Operation& operation, Turn turn);

Task gather(const Gather& call, Operation& operation, Turn turn);
Task scatter(const Scatter& call, Operation& operation, Turn turn);
Task allgather(const Allgather& call, Operation& operation, Turn turn);
Task alltoall(const Alltoall& call, Operation& operation, Turn turn);

Task reduce_flat(const Reduce& call, Operation& operation, Turn turn);
Task reduce_parts(const Reduce& call, Operation& operation, Turn turn);
Task allreduce_flat(const Allreduce& call, Operation& operation, Turn turn);
Task allreduce_parts(const Allreduce& call, Operation& operation, Turn turn);
Task reduce_scatter(const ReduceScatter& call, Operation& operation, Turn turn);
Task scan(const Prefix& call, Operation& operation, Turn turn);

}  // namespace atl::coll::arena
