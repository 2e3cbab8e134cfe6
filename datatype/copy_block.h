// Inline copies of small blocks.
#pragma once

#include <cstddef>
#include <cstring>

#include "base/copy.h"
#include "datatype/kernels.h"

namespace atl::datatype {

// Copies `kBytes` bytes, a compile-time constant.
template <Direction kDirection, std::size_t kBytes>
inline void move_fixed(std::byte* memory, std::byte* stream) {
  if constexpr (kDirection == Direction::pack) {
    std::memcpy(stream, memory, kBytes);
  } else {
    std::memcpy(memory, stream, kBytes);
  }
}

template <Direction kDirection>
inline void move_few(std::byte* memory, std::byte* stream, std::size_t bytes) {
  if constexpr (kDirection == Direction::pack) {
    copy_small(stream, memory, bytes);
  } else {
    copy_small(memory, stream, bytes);
  }
}

}  // namespace atl::datatype
