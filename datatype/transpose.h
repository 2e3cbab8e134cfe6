// Transposes: copies where blocks are adjacent in the stream along one loop and in memory along
// another.
#pragma once

#include <cstddef>

namespace atl::datatype {

// A matrix of blocks: `rows` rows of `columns` adjacent blocks, rows `stride` bytes apart.
struct Matrix {
  std::ptrdiff_t stride;
  std::size_t rows;
  std::size_t columns;
};

// Whether there is a kernel for this size of block.
constexpr bool can_transpose(std::size_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

// Writes the blocks of `from` to `to` with rows and columns exchanged; the rows
// of `to` are `to_stride` bytes apart.
void transpose(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, Matrix matrix,
               std::size_t bytes);

}  // namespace atl::datatype
