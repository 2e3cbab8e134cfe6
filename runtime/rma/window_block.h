// What each member of a window has in its heap for the others: the lock and the guard of its
// memory, what it does as an origin, and in a dynamic window what it has attached.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared.h"
#include "shm/accumulate_guard.h"
#include "shm/base/cache_line.h"
#include "shm/published.h"
#include "shm/window_lock.h"

namespace atl::rma {

// Where the memory of a member's part of the window is, or memory that it has attached.
struct Exposed {
  std::uint64_t address = 0;      // in the member's process
  std::uint64_t bytes = 0;        // length; 0 in a dynamic window
  std::int64_t disp_unit = 1;     // bytes
  std::uint64_t heap_offset = 0;  // where it is in the heap of `heap_rank`, if it is in one
  std::uint32_t heap_rank = 0;    // rank in the job
  std::uint32_t in_heap = 0;      // 1: in a heap of the segment; 0: memory of the member alone
};

// A region of a dynamic window. Written by the member.
using AttachedRegion = shm::Published<Exposed>;

// All-zero memory is a new block.
class alignas(shm::kCacheLine) WindowBlock {
 public:
  static std::size_t footprint(std::uint32_t members) {
    return sizeof(WindowBlock) + shm::WindowLock::footprint(members) +
           words(members) * sizeof(std::uint64_t);
  }

  // Line 0: written by origins.
  shm::AccumulateGuard guard;

  // Line 1: written by the member as an origin.
  alignas(shm::kCacheLine) shm::AccumulateMark mark;

  // Line 2: written by the member when it attaches. Where its table of regions is in its heap, and
  // how many entries it has; an entry with 0 bytes is not in use.
  alignas(shm::kCacheLine) Shared<std::uint64_t> regions_offset;
  Shared<std::uint32_t> regions;

  shm::WindowLock& lock() { return *reinterpret_cast<shm::WindowLock*>(this + 1); }
  const shm::WindowLock& lock() const {
    return *reinterpret_cast<const shm::WindowLock*>(this + 1);
  }

  // Whether the member holds or wants the lock of a target. Written by the member: set before it
  // tries to lock, cleared after it has unlocked, so that others know what it held when it dies.
  void set_may_hold(std::uint32_t members, std::uint32_t target, bool may) {
    Shared<std::uint64_t>& word = may_hold_words(members)[target / 64];
    const std::uint64_t bit = std::uint64_t{1} << (target % 64);
    // Relaxed: the member alone writes it, and it is read after the member has ended or by
    // observers.
    const std::uint64_t now = word.load_relaxed();
    word.store_relaxed(may ? now | bit : now & ~bit);  // Relaxed: as above.
  }
  bool may_hold(std::uint32_t members, std::uint32_t target) const {
    auto& words = const_cast<WindowBlock*>(this)->may_hold_words(members)[target / 64];
    return (words.load_relaxed() >> (target % 64) & 1) != 0;  // Relaxed: see set_may_hold().
  }

 private:
  static std::size_t words(std::uint32_t members) { return (members + 63) / 64; }
  Shared<std::uint64_t>* may_hold_words(std::uint32_t members) {
    return reinterpret_cast<Shared<std::uint64_t>*>(reinterpret_cast<std::byte*>(this + 1) +
                                                    shm::WindowLock::footprint(members));
  }
};

}  // namespace atl::rma
