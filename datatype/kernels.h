// The innermost loops: blocks of one size between memory and the stream. Each
// exists in both directions and for each small size on its own.
#pragma once

#include <cstddef>

#include "datatype/problem.h"

namespace atl::datatype {

// Which way the bytes go.
enum class Direction : bool { pack, unpack };  // out of memory, into memory

// One loop: `count` turns, so many bytes apart in memory and in the stream.
struct Turns {
  std::size_t count;
  Count memory;
  Count stream;
};

// `bytes` are those of a block.
using LineKernel = void (*)(std::byte* memory, std::byte* stream, Turns turns, std::size_t bytes);
// Blocks at offsets in memory, one after the other in the stream.
using ListKernel = void (*)(std::byte* memory, const Count* offsets, std::size_t count,
                            std::byte* stream, std::size_t bytes);
// Two loops, of which the first goes through the stream and the second through
// memory in the smaller steps: in tiles that stay in the cache.
using TileKernel = void (*)(std::byte* memory, std::byte* stream, Turns by_stream, Turns by_memory,
                            std::size_t bytes);

LineKernel line_kernel(Direction direction, std::size_t bytes);
ListKernel list_kernel(Direction direction, std::size_t bytes);
// For blocks of at most kTiledBytes.
TileKernel tile_kernel(Direction direction, std::size_t bytes);
inline constexpr std::size_t kTiledBytes = 32;

}  // namespace atl::datatype
