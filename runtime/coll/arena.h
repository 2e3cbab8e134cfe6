// Collectives through the arena of a communicator (channel.h): what a rank gives
// lies in shared memory, and the others read it there.
//
// "flat" (flat.h): the data of each rank is one entry or cell, and whoever needs it
// reads them all. "cells": longer data goes through in steps of a cell, each rank
// writing the next one while the others read. "parts": as that, and each rank reduces
// a part of each cell for all, so that nobody reads everything. "groups": short data
// goes up and down a tree.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/coll/called.h"
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

// The values that all ranks give in a step: `count` of them, behind the first `start`
// bytes of the `bytes` that each gives.
struct Values {
  Step step;
  std::size_t bytes;
  std::size_t start = 0;
  std::size_t count;
  const std::byte* own = nullptr;  // those of this rank, where they are not in its entry
};

// to = those of rank 0 op those of rank 1 op ... op those of rank `last`.
void fold(Channel& channel, const Values& values, int last, const Reducing& with, std::byte* to);

// A step with a piece for each of the others, in the order of their ranks: bytes
// [start, start + length) of its block go there, those of the others come from theirs.
void put_pieces(Channel& channel, Step step, const Blocks& out, std::size_t start,
                std::size_t length);
void take_piece(Channel& channel, Step step, int rank, const Data& to, std::size_t start,
                std::size_t length);
void take_pieces(Channel& channel, Step step, const Blocks& in, std::size_t start,
                 std::size_t length);

// Longer data than one step has.
Task bcast(const Bcast& call, Operation& operation, Turn turn);
Task allgather(const Allgather& call, Operation& operation, Turn turn);
Task alltoall(const Alltoall& call, Operation& operation, Turn turn);
Task reduce_cells(const Reduce& call, Operation& operation, Turn turn);
Task allreduce_cells(const Allreduce& call, Operation& operation, Turn turn);
Task reduce_parts(const Reduce& call, Operation& operation, Turn turn);
Task allreduce_parts(const Allreduce& call, Operation& operation, Turn turn);
Task reduce_scatter(const ReduceScatter& call, Operation& operation, Turn turn);

// Short data among many ranks.
Task barrier_groups(const Barrier& call, Operation& operation, Turn turn);
Task bcast_groups(const Bcast& call, Operation& operation, Turn turn);
Task reduce_groups(const Reduce& call, Operation& operation, Turn turn);
Task allreduce_groups(const Allreduce& call, Operation& operation, Turn turn);

}  // namespace atl::coll::arena
