#include "shm/collective_buffer.h"

#include <algorithm>
#include <cstring>

namespace atl::shm {
namespace {

constexpr std::size_t kPage = 4096;

// Bytes before the first slot.
std::size_t slots_offset(std::uint32_t capacity) {
  return round_up(sizeof(CollectiveBuffer) + capacity * sizeof(CollectiveBuffer::Member), kPage);
}

// Zeroes atomics with plain stores, because no other process accesses them at this time.
template <class T>
void zero(T& what) {
  std::memset(static_cast<void*>(&what), 0, sizeof what);
}

}  // namespace

std::size_t CollectiveBuffer::footprint(std::uint32_t capacity, std::uint32_t slot_bytes) {
  const std::size_t slots = std::size_t{capacity} * kSlots;
  return slots_offset(capacity) + round_up(slots * (slot_bytes + kCacheLine), kPage);
}

CollectiveBuffer::Slots CollectiveBuffer::slots() {
  return {reinterpret_cast<std::byte*>(this) + slots_offset(capacity_), slot_bytes_ + kCacheLine};
}

std::size_t CollectiveBuffer::written() {
  std::size_t bytes = 0;
  for (std::uint32_t rank = 0; rank < capacity_; ++rank) {
    // Relaxed: ContextRegistry::release() has ordered the members' stores before this.
    bytes += member(rank).written.load_relaxed() * kSlots;
  }
  return bytes;
}

void CollectiveBuffer::clear() {
  for (std::uint32_t rank = 0; rank < capacity_; ++rank) {
    // Relaxed: as in written(). A member that never published has not touched its memory.
    if (member(rank).released.load_relaxed() == 0) continue;
    const std::size_t bytes =
        std::min<std::size_t>(member(rank).written.load_relaxed(), slot_bytes_ + kCacheLine);
    for (std::uint64_t round = 0; bytes != 0 && round < kSlots; ++round) {
      std::memset(slot(rank, round), 0, bytes);
    }
    zero(member(rank));
  }
  // Relaxed: as in written().
  if (mismatch_.claims.load_relaxed() != 0) zero(mismatch_);
  zero(arrivals_);
  zero(space_wanted_);
  capacity_ = slot_bytes_ = 0;
}

}  // namespace atl::shm
