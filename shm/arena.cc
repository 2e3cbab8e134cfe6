#include "shm/arena.h"

namespace atl::shm {
namespace {

constexpr std::size_t kPage = 4096;

// Bytes in front of the cells.
std::size_t cells_offset(std::uint32_t capacity) {
  return round_up(sizeof(Arena) + capacity * sizeof(Arena::Member), kPage);
}

}  // namespace

std::size_t Arena::footprint(std::uint32_t capacity, std::uint32_t cell_bytes) {
  const std::size_t cells = std::size_t{capacity} * kCells;
  return cells_offset(capacity) + round_up(cells * (cell_bytes + kCacheLine), kPage);
}

std::byte* Arena::cell(std::uint32_t rank, std::uint64_t step) {
  const std::size_t number = std::size_t{rank} * kCells + step % kCells;
  return reinterpret_cast<std::byte*>(this) + cells_offset(capacity_) +
         number * (cell_bytes_ + kCacheLine);
}

void Arena::clear() {
  // Relaxed: freeing the context's number, which comes next, orders all of it.
  room_wanted_.store_relaxed(0);
  for (auto& count : arrivals_) count.store_relaxed(0);
  mismatch_.step.store_relaxed(0);
  mismatch_.claims.store_relaxed(0);
  for (std::uint32_t rank = 0; rank < capacity_; ++rank) {
    // A member that never posted has untouched pages, which stay so.
    if (member(rank).left.load_relaxed() == 0) continue;
    member(rank).left.store_relaxed(0);
    for (Entry& entry : member(rank).entries) entry.posted.store_relaxed(0);
  }
}

}  // namespace atl::shm
