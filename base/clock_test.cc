#include "base/clock.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>

namespace atl {
namespace {

TEST_CASE("clocks do not go back") {
  std::int64_t ns = monotonic_ns();
  std::uint64_t tick = ticks();
  int back = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::int64_t next_ns = monotonic_ns();
    const std::uint64_t next_tick = i % 2 == 0 ? ticks() : ticks_after_loads();
    back += next_ns < ns;
    back += next_tick < tick;
    ns = next_ns;
    tick = next_tick;
  }
  CHECK(back == 0);
}

// Ticks per nanosecond. The interval in ticks lies within the interval in nanoseconds, so an
// interruption between two readings makes the rate too low, never too high.
double rate() {
  constexpr std::int64_t kLong = 2000000;  // ns
  const std::int64_t start_ns = monotonic_ns();
  const std::uint64_t start = ticks();
  while (monotonic_ns() - start_ns < kLong) {
  }
  const std::uint64_t passed = ticks() - start;
  return static_cast<double>(passed) / static_cast<double>(monotonic_ns() - start_ns);
}

TEST_CASE("the processor's clock has some billions of ticks a second, and a fixed rate") {
  double least = 1e9;
  double most = 0;
  for (int i = 0; i < 5; ++i) {
    const double one = rate();
    least = std::min(least, one);
    most = std::max(most, one);
  }
  CHECK(most > 0.3);
  CHECK(least < 100);
}

TEST_CASE("the nanoseconds are those of CLOCK_MONOTONIC") {
  timespec before{}, after{};
  ::clock_gettime(CLOCK_MONOTONIC, &before);
  const std::int64_t now = monotonic_ns();
  ::clock_gettime(CLOCK_MONOTONIC, &after);
  CHECK(now >= before.tv_sec * 1000000000L + before.tv_nsec);
  CHECK(now <= after.tv_sec * 1000000000L + after.tv_nsec);
}

TEST_CASE("what is timed returns its value, and more work takes more ticks") {
  std::uint64_t taken = 0;
  CHECK(timed(taken, [] { return 42; }) == 42);
  std::uint64_t longer = 0;
  timed(longer, [] {
    const std::int64_t start = monotonic_ns();
    while (monotonic_ns() - start < 1000000) {
    }
    return true;
  });
  CHECK(longer > 100000);  // a millisecond, at the slowest rate of any processor
}

}  // namespace
}  // namespace atl
