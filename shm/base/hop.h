// How far another core is, as base/clock.h measures it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace atl::shm {

// Ticks of the processor's clock that a cache line takes from there to here, as last
// seen; 0 before that. Cores of a virtual machine may change their distance at any time.
class Hop {
 public:
  std::uint64_t ticks() const { return ticks_; }

  // Falls at once; a single long one may have been an interruption.
  void note(std::uint64_t ticks) {
    ticks_ = ticks_ == 0 ? ticks : std::min(ticks, ticks_ + ticks_ / 4);
  }

 private:
  std::uint64_t ticks_ = 0;
};

}  // namespace atl::shm
