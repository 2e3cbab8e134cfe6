#include "datatype/transpose.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace atl::datatype {
namespace {

// Start of a tile on both sides.
struct Place {
  std::byte* to;
  std::ptrdiff_t to_stride;
  const std::byte* from;
  std::ptrdiff_t from_stride;

  Place at(std::size_t row, std::size_t column, std::size_t bytes) const {
    return {to + static_cast<std::ptrdiff_t>(column) * to_stride + row * bytes, to_stride,
            from + static_cast<std::ptrdiff_t>(row) * from_stride + column * bytes, from_stride};
  }
};

template <std::size_t kBytes>
inline void move_rest(Place place, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      const Place block = place.at(row, column, kBytes);
      std::memcpy(block.to, block.from, kBytes);
    }
  }
}

inline __m128i load(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
inline void store(std::byte* to, __m128i value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
}

// kSide x kSide blocks that fill vector registers: 2 x 2 of 8 bytes, 4 x 4 of 4.
template <std::size_t kBytes>
struct Square {
  static constexpr std::size_t kSide = 1;
  static void move(Place place) { std::memcpy(place.to, place.from, kBytes); }
};

template <>
struct Square<8> {
  static constexpr std::size_t kSide = 2;
  static void move(Place place) {
    const __m128i first = load(place.from);
    const __m128i second = load(place.from + place.from_stride);
    store(place.to, _mm_unpacklo_epi64(first, second));
    store(place.to + place.to_stride, _mm_unpackhi_epi64(first, second));
  }
};

template <>
struct Square<4> {
  static constexpr std::size_t kSide = 4;
  static void move(Place place) {
    const __m128i a = load(place.from);
    const __m128i b = load(place.from + place.from_stride);
    const __m128i c = load(place.from + 2 * place.from_stride);
    const __m128i d = load(place.from + 3 * place.from_stride);
    const __m128i ab_low = _mm_unpacklo_epi32(a, b);
    const __m128i ab_high = _mm_unpackhi_epi32(a, b);
    const __m128i cd_low = _mm_unpacklo_epi32(c, d);
    const __m128i cd_high = _mm_unpackhi_epi32(c, d);
    store(place.to, _mm_unpacklo_epi64(ab_low, cd_low));
    store(place.to + place.to_stride, _mm_unpackhi_epi64(ab_low, cd_low));
    store(place.to + 2 * place.to_stride, _mm_unpacklo_epi64(ab_high, cd_high));
    store(place.to + 3 * place.to_stride, _mm_unpackhi_epi64(ab_high, cd_high));
  }
};

template <std::size_t kBytes>
inline void move_squares(Place place, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kSide = Square<kBytes>::kSide;
  for (std::size_t column = 0; column < columns; column += kSide) {
    for (std::size_t row = 0; row < rows; row += kSide) {
      Square<kBytes>::move(place.at(row, column, kBytes));
    }
  }
}

template <std::size_t kBytes>
inline void move_tile(Place place, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kSide = Square<kBytes>::kSide;
  constexpr std::size_t kTile = 64 / kBytes;
  if (rows == kTile && columns == kTile) return move_squares<kBytes>(place, kTile, kTile);
  const std::size_t even_rows = rows / kSide * kSide;
  const std::size_t even_columns = columns / kSide * kSide;
  move_squares<kBytes>(place, even_rows, even_columns);
  move_rest<kBytes>(place.at(even_rows, 0, kBytes), rows - even_rows, even_columns);
  move_rest<kBytes>(place.at(0, even_columns, kBytes), rows, columns - even_columns);
}

// Tiles of a cache line in both directions; four adjacent tiles at a time, so that lines that the
// memory system fetches together are used together.
template <std::size_t kBytes>
void transpose_blocks(Place place, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kTile = 64 / kBytes;
  constexpr std::size_t kTilesAbreast = 4;
  for (std::size_t left = 0; left < columns; left += kTilesAbreast * kTile) {
    const std::size_t right = std::min(columns, left + kTilesAbreast * kTile);
    for (std::size_t row = 0; row < rows; row += kTile) {
      const std::size_t height = std::min(kTile, rows - row);
      for (std::size_t column = left; column < right; column += kTile) {
        move_tile<kBytes>(place.at(row, column, kBytes), height, std::min(kTile, right - column));
      }
    }
  }
}

}  // namespace

void transpose(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, Matrix matrix,
               std::size_t bytes) {
  const Place place{to, to_stride, from, matrix.stride};
  switch (bytes) {
    case 1: return transpose_blocks<1>(place, matrix.rows, matrix.columns);
    case 2: return transpose_blocks<2>(place, matrix.rows, matrix.columns);
    case 4: return transpose_blocks<4>(place, matrix.rows, matrix.columns);
    case 8: return transpose_blocks<8>(place, matrix.rows, matrix.columns);
    default: return transpose_blocks<16>(place, matrix.rows, matrix.columns);
  }
}

}  // namespace atl::datatype
