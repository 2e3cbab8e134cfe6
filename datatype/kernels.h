// The innermost loops: blocks of one size between memory and the stream. Each
// exists in both directions and for each small size on its own.
#pragma once

#include <cstddef>

#include "datatype/problem.h"

namespace atl::datatype {

// Which way the bytes go.
enum class Direction : bool { pack, unpack };  // out of memory, into memory

// `count` blocks of `bytes` bytes; each so many bytes behind the one before. All
// arguments fit into registers: a short line costs no more than its copies.
using LineKernel = void (*)(std::byte* memory, std::byte* stream, std::size_t count,
                            Count memory_stride, Count stream_stride, std::size_t bytes);
// Blocks at offsets in memory, one after the other in the stream.
using ListKernel = void (*)(std::byte* memory, std::byte* stream, std::size_t count,
                            const Count* offsets, std::size_t bytes);

// One loop: its turns, and how far they are apart.
struct Turns {
  std::size_t count;
  Count memory;
  Count stream;
};

// Two loops, of which the first goes through the stream and the second through
// memory in the smaller steps: in tiles that stay in the cache.
using TileKernel = void (*)(std::byte* memory, std::byte* stream, const Turns& by_stream,
                            const Turns& by_memory);

LineKernel line_kernel(Direction direction, std::size_t bytes);
ListKernel list_kernel(Direction direction, std::size_t bytes);
// For blocks of at most kTiledBytes.
TileKernel tile_kernel(Direction direction, std::size_t bytes);
inline constexpr std::size_t kTiledBytes = 32;

}  // namespace atl::datatype
