// Allocator for shared memory: a bitmap with one bit per unit, set while the unit is in use.
//
// A block is a contiguous range of units; take() allocates the lowest free one. A block within
// one 64-bit word of the map is taken, and given back, by one atomic operation. A longer one is
// taken word by word; if one of its units turns out to be in use, take() gives back the units
// that it has already taken. A process that dies in between leaks those units and does no other
// harm.
//
// All-zero memory, after construct(), is a map in which no unit is in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/shared.h"

namespace atl::shm {

class BlockMap {
 public:
  // Size of a map of `units` units, in bytes.
  static constexpr std::size_t bytes(std::uint32_t units) {
    return sizeof(BlockMap) + std::size_t{(units + 63) / 64} * sizeof(std::uint64_t);
  }

  // Called once, on bytes(units) bytes of zeroed memory.
  void construct(std::uint32_t units) { units_ = units; }

  // Takes a block of `length` >= 1 units that ends at or below unit `limit`. Returns its first
  // unit, or nothing if no such block is free. Other processes may take and give back blocks
  // concurrently.
  std::optional<std::uint32_t> take(std::uint32_t length, std::uint32_t limit = ~0u);

  // Called by the owner of the block when no process uses it any more.
  void give_back(std::uint32_t first, std::uint32_t length);

  std::uint32_t units() const { return units_; }
  std::uint32_t in_use() const;  // a snapshot, for tests and tools

 private:
  std::uint32_t claim(std::uint32_t first, std::uint32_t length);

  Shared<std::uint64_t>& word(std::uint32_t index) {
    return reinterpret_cast<Shared<std::uint64_t>*>(this + 1)[index];
  }

  // Constant after construct(). Aligned so that the words of the map begin at a multiple of 8.
  alignas(sizeof(std::uint64_t)) std::uint32_t units_;
};

}  // namespace atl::shm
