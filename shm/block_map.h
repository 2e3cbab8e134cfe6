// Which parts of a piece of shared memory are in use: one bit for each unit of it.
//
// A block is a run of units that follow each other; take() finds the lowest that is
// free. A block in one word of the map is taken, and given back, by one atomic
// operation. A longer one is taken word by word, and what was taken is given back
// when a part of it turns out to be in use. A process that dies in between leaves
// units that nobody gets any more, and nothing else.
//
// All-zero memory, after construct(), is a map in which nothing is in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/shared.h"

namespace atl::shm {

class BlockMap {
 public:
  // Bytes of a map of so many units.
  static constexpr std::size_t bytes(std::uint32_t units) {
    return sizeof(BlockMap) + std::size_t{(units + 63) / 64} * sizeof(std::uint64_t);
  }

  // Called once, on bytes(units) bytes of zeroed memory.
  void construct(std::uint32_t units) { units_ = units; }

  // The first unit of a block of `length` units, at least one, that ends at `limit` at
  // most. Nothing when there is none; others may be taking and giving back meanwhile.
  std::optional<std::uint32_t> take(std::uint32_t length, std::uint32_t limit = ~0u);

  // By the owner of the block, when nobody uses it any more.
  void give_back(std::uint32_t first, std::uint32_t length);

  std::uint32_t units() const { return units_; }
  std::uint32_t in_use() const;  // a snapshot, for tests and tools

 private:
  std::uint32_t claim(std::uint32_t first, std::uint32_t length);

  Shared<std::uint64_t>& word(std::uint32_t index) {
    return reinterpret_cast<Shared<std::uint64_t>*>(this + 1)[index];
  }

  // Constant; its own word, so that the map begins at a multiple of 8.
  alignas(sizeof(std::uint64_t)) std::uint32_t units_;
};

}  // namespace atl::shm
