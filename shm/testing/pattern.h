// Test data that depends on the message and on the position in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atl::shm::testing {

inline std::byte pattern(std::uint64_t message, std::uint64_t i) {
  return static_cast<std::byte>(message * 131 + i * 7 + (i >> 8));
}

inline void fill(std::byte* to, std::uint64_t bytes, std::uint64_t message) {
  for (std::uint64_t i = 0; i < bytes; ++i) to[i] = pattern(message, i);
}

inline bool is_filled(const std::byte* from, std::uint64_t bytes, std::uint64_t message) {
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (from[i] != pattern(message, i)) return false;
  }
  return true;
}

}  // namespace atl::shm::testing
