#include "shm/arena.h"

#include <algorithm>
#include <cstring>

namespace atl::shm {
namespace {

constexpr std::size_t kPage = 4096;

// Bytes in front of the cells.
std::size_t cells_offset(std::uint32_t capacity) {
  return round_up(sizeof(Arena) + capacity * sizeof(Arena::Member), kPage);
}

// Nobody else looks: plain zeroes do for what is atomic.
template <class T>
void zero(T& what) {
  std::memset(static_cast<void*>(&what), 0, sizeof what);
}

}  // namespace

std::size_t Arena::footprint(std::uint32_t capacity, std::uint32_t cell_bytes) {
  const std::size_t cells = std::size_t{capacity} * kCells;
  return cells_offset(capacity) + round_up(cells * (cell_bytes + kCacheLine), kPage);
}

Arena::Cells Arena::cells() {
  return {reinterpret_cast<std::byte*>(this) + cells_offset(capacity_), cell_bytes_ + kCacheLine};
}

std::size_t Arena::written() {
  std::size_t bytes = 0;
  for (std::uint32_t rank = 0; rank < capacity_; ++rank) {
    // Relaxed, as below: releasing the context has ordered all that the members did.
    bytes += member(rank).written.load_relaxed() * kCells;
  }
  return bytes;
}

void Arena::clear() {
  for (std::uint32_t rank = 0; rank < capacity_; ++rank) {
    // Relaxed: as above. A member that never posted has untouched memory.
    if (member(rank).left.load_relaxed() == 0) continue;
    const std::size_t bytes =
        std::min<std::size_t>(member(rank).written.load_relaxed(), cell_bytes_ + kCacheLine);
    for (std::uint64_t step = 0; bytes != 0 && step < kCells; ++step) {
      std::memset(cell(rank, step), 0, bytes);
    }
    zero(member(rank));
  }
  // Relaxed: as above.
  if (mismatch_.claims.load_relaxed() != 0) zero(mismatch_);
  zero(arrivals_);
  zero(room_wanted_);
  capacity_ = cell_bytes_ = 0;
}

}  // namespace atl::shm
