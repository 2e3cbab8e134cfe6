// Latency of a cache-line transfer from another core, measured with timed() of base/clock.h.
#pragma once

#include <algorithm>
#include <cstdint>

namespace atl::shm {

// The last estimate, in ticks of the processor's clock; 0 before the first measurement. It is
// updated all the time, because the virtual cores of a virtual machine may move at any time.
class LineLatency {
 public:
  std::uint64_t ticks() const { return ticks_; }

  // A shorter measurement replaces the estimate at once; a longer one raises it by at most a
  // quarter, because a single long measurement may be due to an interruption.
  void note(std::uint64_t ticks) {
    ticks_ = ticks_ == 0 ? ticks : std::min(ticks, ticks_ + ticks_ / 4);
  }

 private:
  std::uint64_t ticks_ = 0;
};

}  // namespace atl::shm
