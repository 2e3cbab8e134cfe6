// Buffer slots that hold one block for each other rank, in rank order.
#pragma once

#include <cstddef>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/channel.h"

namespace atl::coll::shared_memory {

// Writes bytes [start, start + length) of the block for each other rank.
void write_blocks(Channel& channel, Round round, const Blocks& out, std::size_t start,
                  std::size_t length);
// Reads the bytes that `rank` has written for this rank.
void read_block(Channel& channel, Round round, int rank, const Data& to, std::size_t start,
                std::size_t length);
// Reads the bytes that each other rank has written for this rank.
void read_blocks(Channel& channel, Round round, const Blocks& in, std::size_t start,
                 std::size_t length);

}  // namespace atl::coll::shared_memory
