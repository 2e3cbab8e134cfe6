// The unit in which the cache coherence protocol transfers memory between cores.
#pragma once

#include <cstddef>

namespace atl::shm {

// Bytes. Both x86-64 and the 64-bit Arm cores Atoll runs on use 64.
inline constexpr std::size_t kCacheLine = 64;

// Rounds `bytes` up to a multiple of `unit`, a power of two.
constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

// Prefetches the cache line of `address` in exclusive state.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  // Not the builtin: for a generic x86-64 target it generates a prefetch for reading.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace atl::shm
