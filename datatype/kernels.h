// The innermost loops: copies of equally long blocks between memory and the stream. Each kernel
// exists for both directions and is specialised for small sizes.
#pragma once

#include <cstddef>

#include "datatype/problem.h"

namespace atl::datatype {

// Direction of the copy.
enum class Direction : bool { pack, unpack };  // out of memory, into memory

// Copies `count` blocks of `bytes` bytes at constant strides. All arguments fit into registers, so
// a short line costs no more than its copies.
using LineKernel = void (*)(std::byte* memory, std::byte* stream, std::size_t count,
                            Count memory_stride, Count stream_stride, std::size_t bytes);
// Copies blocks at offsets in memory, consecutive in the stream.
using ListKernel = void (*)(std::byte* memory, std::byte* stream, std::size_t count,
                            const Count* offsets, std::size_t bytes);

// One loop: number of iterations, and strides in memory and in the stream, in bytes.
struct Turns {
  std::size_t count;
  Count memory;
  Count stream;
};

// Executes two nested loops, of which the first has the smaller stride in the stream and the second
// the smaller stride in memory, in tiles that stay in the cache.
using TileKernel = void (*)(std::byte* memory, std::byte* stream, const Turns& by_stream,
                            const Turns& by_memory);

LineKernel line_kernel(Direction direction, std::size_t bytes);
ListKernel list_kernel(Direction direction, std::size_t bytes);
// For blocks of at most kTiledBytes.
TileKernel tile_kernel(Direction direction, std::size_t bytes);
inline constexpr std::size_t kTiledBytes = 32;

}  // namespace atl::datatype
