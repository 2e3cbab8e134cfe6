// The unit in which cores pass memory to each other.
#pragma once

#include <cstddef>

namespace atl::shm {

// Bytes. Both x86-64 and the 64-bit Arm cores Atoll runs on use 64.
inline constexpr std::size_t kCacheLine = 64;

// Rounds `bytes` up to a multiple of `unit`, a power of two.
constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

}  // namespace atl::shm
