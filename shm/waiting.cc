#include "shm/waiting.h"

#include <sched.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace atl::shm {

WaitPolicy WaitPolicy::own_core() { return {.spin_ticks = 150000, .yields = 100, .sleeps = true}; }

WaitPolicy WaitPolicy::shared_core() { return {.spin_ticks = 0, .yields = 8, .sleeps = true}; }

std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value * 64;  // that counter is some tens of times slower
#else
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

void yield_core() { ::sched_yield(); }

}  // namespace atl::shm
