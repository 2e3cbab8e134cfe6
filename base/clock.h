// The clocks: of the processor, for times of some nanoseconds, and of the node.
#pragma once

#include <time.h>

#include <cstdint>

namespace atl {

// CLOCK_MONOTONIC, one clock for all processes of the node.
inline std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

// The processor's clock: some billions of ticks a second, at a rate that does not change.
// Its first value means nothing.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value * 64;  // that counter is some tens of times slower
#else
  return static_cast<std::uint64_t>(monotonic_ns());
#endif
}

// The same, read when all loads before it have brought their values.
inline std::uint64_t ticks_after_loads() {
#if defined(__x86_64__)
  unsigned int core;  // of no use here; this form of the instruction waits
  return __builtin_ia32_rdtscp(&core);
#else
#if defined(__aarch64__)
  asm volatile("dsb ld; isb" ::: "memory");
#endif
  return ticks();
#endif
}

// Runs `load`, which returns what it has read, and says how many ticks it took: for a load
// that fetches one line from another core.
template <class Load>
auto timed(std::uint64_t& taken, Load load) {
  const std::uint64_t start = ticks();
  auto value = load();
  taken = ticks_after_loads() - start;
  return value;
}

}  // namespace atl
