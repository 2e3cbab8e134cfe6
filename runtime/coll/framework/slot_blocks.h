// A buffer slot that holds a block for each of the other ranks, in the order of their ranks.
#pragma once

#include <cstddef>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/channel.h"

namespace atl::coll::shared_memory {

// Writes bytes [start, start + length) of the block for each of the others.
void write_blocks(Channel& channel, Round round, const Blocks& out, std::size_t start,
                  std::size_t length);
// Reads those that `rank` has written for this one.
void read_block(Channel& channel, Round round, int rank, const Data& to, std::size_t start,
                std::size_t length);
// Those of all others.
void read_blocks(Channel& channel, Round round, const Blocks& in, std::size_t start,
                 std::size_t length);

}  // namespace atl::coll::shared_memory
