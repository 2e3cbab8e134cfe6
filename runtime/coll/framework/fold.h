// Reduces the values that ranks have published in a round. All ranks combine the values in the
// same order, from the last rank down, so that the result has the same bits on all ranks and in
// each run, and operations that do not commute get the order that they need.
#pragma once

#include <cstddef>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/reduction_arguments.h"

namespace atl::coll::shared_memory {

// Of the `bytes` that each rank has published in `round`: `count` elements, after `start` bytes.
struct Contributions {
  Round round;
  std::size_t bytes;
  std::size_t start = 0;
  std::size_t count;
  const std::byte* own = nullptr;  // values of this rank, if it has not published them
};

// to = values of rank 0 op values of rank 1 op ... op values of rank `last`.
void fold(Channel& channel, const Contributions& values, int last,
          const ReductionArguments& arguments, std::byte* to);

}  // namespace atl::coll::shared_memory
