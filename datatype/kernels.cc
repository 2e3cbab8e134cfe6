#include "datatype/kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "datatype/copy_block.h"
#include "datatype/transpose.h"

namespace atl::datatype {
namespace {

// Sizes with a specialised kernel: 1 to kFixed, and multiples of 32 up to kFixedLong.
constexpr std::size_t kFixed = 64;

// Copies a block of kBytes bytes, or of `bytes` bytes if kBytes is 0.
template <Direction kDirection, std::size_t kBytes>
inline void move_block(std::byte* memory, std::byte* stream, std::size_t bytes) {
  if constexpr (kBytes != 0) {
    move_fixed<kDirection, kBytes>(memory, stream);
  } else {
    move_few<kDirection>(memory, stream, bytes);
  }
}

// Unrolled for small blocks, which is faster while they lie close together. Across pages the
// hardware prefetcher works only for load and store instructions that execute every step, so the
// loop is not unrolled for strides of a page or more.
template <Direction kDirection, std::size_t kBytes>
void move_line(std::byte* memory, std::byte* stream, std::size_t count, Count memory_stride,
               Count stream_stride, std::size_t bytes) {
  constexpr Count kPage = 4096;
  constexpr std::size_t kUnrolled = 16;
  const auto move_next = [&] {
    move_block<kDirection, kBytes>(memory, stream, bytes);
    memory += memory_stride;
    stream += stream_stride;
  };
  if (kBytes != 0 && kBytes <= kUnrolled && std::abs(memory_stride) < kPage) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) move_next();
  } else {
    for (std::size_t i = 0; i < count; ++i) move_next();
  }
}

template <Direction kDirection, std::size_t kBytes>
void move_list(std::byte* memory, std::byte* stream, std::size_t count, const Count* offsets,
               std::size_t bytes) {
  const std::size_t step = kBytes != 0 ? kBytes : bytes;
  for (std::size_t i = 0; i < count; ++i, stream += step) {
    move_block<kDirection, kBytes>(memory + offsets[i], stream, bytes);
  }
}

// A tile is about a cache line wide in memory, and its length is such that both sides of it stay in
// the first-level cache.
template <Direction kDirection, std::size_t kBytes>
void move_tiles(std::byte* memory, std::byte* stream, const Turns& by_stream,
                const Turns& by_memory) {
  if (can_transpose(kBytes) && by_stream.stream == Count{kBytes} &&
      by_memory.memory == Count{kBytes}) {
    if constexpr (kDirection == Direction::pack) {
      const Matrix rows{by_stream.memory, by_stream.count, by_memory.count};
      return transpose(stream, by_memory.stream, memory, rows, kBytes);
    } else {
      const Matrix rows{by_memory.stream, by_memory.count, by_stream.count};
      return transpose(memory, by_stream.memory, stream, rows, kBytes);
    }
  }
  constexpr std::size_t kWidth = std::max<std::size_t>(64 / kBytes, 2);
  constexpr std::size_t kLength = 8;
  for (std::size_t b = 0; b < by_memory.count; b += kWidth) {
    const std::size_t width = std::min(kWidth, by_memory.count - b);
    for (std::size_t a = 0; a < by_stream.count; a += kLength) {
      const std::size_t length = std::min(kLength, by_stream.count - a);
      std::byte* from = memory + static_cast<Count>(a) * by_stream.memory +
                        static_cast<Count>(b) * by_memory.memory;
      std::byte* to = stream + static_cast<Count>(a) * by_stream.stream +
                      static_cast<Count>(b) * by_memory.stream;
      for (std::size_t j = 0; j < width; ++j) {
        move_line<kDirection, kBytes>(from, to, length, by_stream.memory, by_stream.stream, kBytes);
        from += by_memory.memory;
        to += by_memory.stream;
      }
    }
  }
}

template <Direction kDirection, std::size_t... kBytes>
constexpr std::array<LineKernel, sizeof...(kBytes)> lines(std::index_sequence<kBytes...>) {
  return {&move_line<kDirection, kBytes>...};
}

template <Direction kDirection, std::size_t... kBytes>
constexpr std::array<ListKernel, sizeof...(kBytes)> lists(std::index_sequence<kBytes...>) {
  return {&move_list<kDirection, kBytes>...};
}

template <Direction kDirection, std::size_t... kLess>
constexpr std::array<TileKernel, sizeof...(kLess)> tiles(std::index_sequence<kLess...>) {
  return {&move_tiles<kDirection, kLess + 1>...};
}

using Sizes = std::make_index_sequence<kFixed + 1>;
using TiledSizes = std::make_index_sequence<kTiledBytes>;

constexpr std::array kLines{lines<Direction::pack>(Sizes()), lines<Direction::unpack>(Sizes())};
constexpr std::array kLists{lists<Direction::pack>(Sizes()), lists<Direction::unpack>(Sizes())};
constexpr std::array kTiles{tiles<Direction::pack>(TiledSizes()),
                            tiles<Direction::unpack>(TiledSizes())};

std::size_t index_of(std::size_t bytes) { return bytes <= kFixed ? bytes : 0; }

}  // namespace

LineKernel line_kernel(Direction direction, std::size_t bytes) {
  return kLines[static_cast<std::size_t>(direction)][index_of(bytes)];
}

ListKernel list_kernel(Direction direction, std::size_t bytes) {
  return kLists[static_cast<std::size_t>(direction)][index_of(bytes)];
}

TileKernel tile_kernel(Direction direction, std::size_t bytes) {
  return kTiles[static_cast<std::size_t>(direction)][bytes - 1];
}

}  // namespace atl::datatype
