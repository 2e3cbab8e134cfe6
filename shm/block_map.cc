#include "shm/block_map.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace atl::shm {
namespace {

constexpr std::uint32_t kBits = 64;  // per word of the map

std::uint32_t end_of_word(std::uint32_t unit) { return (unit / kBits + 1) * kBits; }

// The bits of units [first, end), which lie in one word.
std::uint64_t mask(std::uint32_t first, std::uint32_t end) {
  return ~0ull >> (kBits - (end - first)) << first % kBits;
}

// The unit after the last one whose bit is set in `bits`, which come from the word of `unit`.
std::uint32_t behind_last(std::uint32_t unit, std::uint64_t bits) {
  return end_of_word(unit) - static_cast<std::uint32_t>(std::countl_zero(bits));
}

}  // namespace

std::optional<std::uint32_t> BlockMap::take(std::uint32_t length, std::uint32_t limit) {
  ATL_DCHECK(length > 0);
  limit = std::min(limit, units_);
  if (length > limit) return std::nullopt;
  for (std::uint32_t first = 0; first <= limit - length;) {
    const std::uint32_t next = claim(first, length);
    if (next == first) return first;
    first = next;
  }
  return std::nullopt;
}

// Returns `first` if the block was taken, else the next unit at which a block may begin.
std::uint32_t BlockMap::claim(std::uint32_t first, std::uint32_t length) {
  const std::uint32_t end = first + length;
  for (std::uint32_t at = first; at < end;) {
    const std::uint32_t part_end = std::min(end, end_of_word(at));
    const std::uint64_t wanted = mask(at, part_end);
    Shared<std::uint64_t>& word = this->word(at / kBits);
    // Relaxed: the compare-exchange below validates the value.
    std::uint64_t bits = word.load_relaxed();
    // Pairs with give_back(): the previous owner's accesses to the block happen before this one's.
    while ((bits & wanted) == 0 && !word.compare_exchange_acq_rel(bits, bits | wanted)) {
    }
    if ((bits & wanted) != 0) {
      if (at != first) give_back(first, at - first);
      return behind_last(at, bits & wanted);
    }
    at = part_end;
  }
  return first;
}

void BlockMap::give_back(std::uint32_t first, std::uint32_t length) {
  const std::uint32_t end = first + length;
  for (std::uint32_t at = first; at < end;) {
    const std::uint32_t part_end = std::min(end, end_of_word(at));
    const std::uint64_t given = mask(at, part_end);
    // Pairs with the compare-exchange in claim(), for the next owner of the block.
    const std::uint64_t before = word(at / kBits).fetch_and_acq_rel(~given);
    ATL_CHECK((before & given) == given, "memory is given back that nobody has taken");
    at = part_end;
  }
}

std::uint32_t BlockMap::in_use() const {
  std::uint32_t count = 0;
  auto* self = const_cast<BlockMap*>(this);
  for (std::uint32_t i = 0; i < (units_ + kBits - 1) / kBits; ++i) {
    // Relaxed: a snapshot orders nothing.
    count += static_cast<std::uint32_t>(std::popcount(self->word(i).load_relaxed()));
  }
  return count;
}

}  // namespace atl::shm
