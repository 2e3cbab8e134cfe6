// Clocks: the processor's, for intervals of some nanoseconds, and CLOCK_MONOTONIC.
#pragma once

#include <time.h>

#include <cstdint>

namespace atl {

// CLOCK_MONOTONIC in ns, the same clock for all processes of the node.
inline std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

// The processor's clock: some billions of ticks per second, at a constant rate, from an arbitrary
// start.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value * 64;  // the counter is some tens of times slower than on x86-64
#else
  return static_cast<std::uint64_t>(monotonic_ns());
#endif
}

// As ticks(), read after all preceding loads have completed.
inline std::uint64_t ticks_after_loads() {
#if defined(__x86_64__)
  unsigned int core;  // unused; rdtscp waits for the loads, rdtsc does not
  return __builtin_ia32_rdtscp(&core);
#else
#if defined(__aarch64__)
  asm volatile("dsb ld; isb" ::: "memory");
#endif
  return ticks();
#endif
}

// Calls `load`, which returns the value that it read, and stores into `taken` how many ticks it
// took. For a load that fetches a cache line from another core.
template <class Load>
auto timed(std::uint64_t& taken, Load load) {
  const std::uint64_t start = ticks();
  auto value = load();
  taken = ticks_after_loads() - start;
  return value;
}

}  // namespace atl
