#include "shm/block_map.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace atl::shm {
namespace {

constexpr std::uint32_t kBits = 64;  // of a word

std::uint32_t end_of_word(std::uint32_t unit) { return (unit / kBits + 1) * kBits; }

// The bits of units [first, end), which lie in one word.
std::uint64_t mask(std::uint32_t first, std::uint32_t end) {
  return ~0ull >> (kBits - (end - first)) << first % kBits;
}

// The unit behind the last one that is set in `bits`, a part of the word of `unit`.
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

// `first` when the block is taken, else a unit before which no block can begin.
std::uint32_t BlockMap::claim(std::uint32_t first, std::uint32_t length) {
  const std::uint32_t end = first + length;
  for (std::uint32_t at = first; at < end;) {
    const std::uint32_t part_end = std::min(end, end_of_word(at));
    const std::uint64_t wanted = mask(at, part_end);
    Shared<std::uint64_t>& word = this->word(at / kBits);
    std::uint64_t bits = word.load_relaxed();  // the exchange below decides
    // Pairs with give_back(): what the last owner did to the block comes before.
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
    // Pairs with the compare-exchange in claim().
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
