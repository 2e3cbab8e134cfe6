// Copies of small blocks without a call.
#pragma once

#include <cstddef>
#include <cstring>

#include "datatype/copy.h"
#include "datatype/kernels.h"

namespace atl::datatype {

// `kBytes` bytes, known to the compiler.
template <Direction kDirection, std::size_t kBytes>
inline void move_fixed(std::byte* memory, std::byte* stream) {
  if constexpr (kDirection == Direction::pack) {
    std::memcpy(stream, memory, kBytes);
  } else {
    std::memcpy(memory, stream, kBytes);
  }
}

template <std::size_t kBytes>
inline void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  struct Chunk {
    std::byte bytes[kBytes];
  };
  Chunk first, last;
  std::memcpy(&first, from, kBytes);
  std::memcpy(&last, from + bytes - kBytes, kBytes);
  std::memcpy(to, &first, kBytes);
  std::memcpy(to + bytes - kBytes, &last, kBytes);
}

// Any number of bytes, most often few: overlapping copies from both ends.
inline void copy_few(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= 16) {
    if (bytes <= 32) return copy_ends<16>(to, from, bytes);
    if (bytes <= 64) return copy_ends<32>(to, from, bytes);
    if (bytes <= 128) return copy_ends<64>(to, from, bytes);
    return copy_run(to, from, bytes);
  }
  if (bytes >= 8) return copy_ends<8>(to, from, bytes);
  if (bytes >= 4) return copy_ends<4>(to, from, bytes);
  if (bytes >= 2) return copy_ends<2>(to, from, bytes);
  if (bytes == 1) *to = *from;
}

template <Direction kDirection>
inline void move_few(std::byte* memory, std::byte* stream, std::size_t bytes) {
  if constexpr (kDirection == Direction::pack) {
    copy_few(stream, memory, bytes);
  } else {
    copy_few(memory, stream, bytes);
  }
}

}  // namespace atl::datatype
