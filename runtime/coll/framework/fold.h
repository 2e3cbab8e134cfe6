// Reduces the values that ranks have published in a round. All ranks combine in the order of the
// ranks, from the last one down, so that the bits are the same everywhere and each time, and
// operations that do not commute get the order that they need.
#pragma once

#include <cstddef>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/reduction_arguments.h"

namespace atl::coll::shared_memory {

// `count` values of each rank, behind the first `start` of the `bytes` that each has published.
struct Contributions {
  Round round;
  std::size_t bytes;
  std::size_t start = 0;
  std::size_t count;
  const std::byte* own = nullptr;  // those of this rank, where it has not published them
};

// to = values of rank 0 op values of rank 1 op ... op values of rank `last`.
void fold(Channel& channel, const Contributions& values, int last,
          const ReductionArguments& arguments, std::byte* to);

}  // namespace atl::coll::shared_memory
