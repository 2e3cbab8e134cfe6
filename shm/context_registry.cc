#include "shm/context_registry.h"

#include <bit>

#include "base/check.h"

namespace atl::shm {
namespace {

constexpr std::uint64_t kAll = ~0ull;

std::uint64_t bit(std::uint32_t index) { return 1ull << index % 64; }

// `word` has a zero bit. Not std::countr_one(), which must also handle a word of all ones.
std::uint32_t lowest_zero(std::uint64_t word) {
  return static_cast<std::uint32_t>(__builtin_ctzll(~word));
}

}  // namespace

// Takes the lowest free number of word `w` of the map.
[[gnu::always_inline]] inline std::optional<std::uint32_t> ContextRegistry::take_in(
    std::uint32_t w) {
  // Relaxed: the compare-exchange below validates the value.
  std::uint64_t bits = taken_[w].load_relaxed();
  while (bits != kAll) {
    const std::uint32_t lowest = lowest_zero(bits);
    // Pairs with free()'s first fetch_and: the new generation is visible.
    if (!taken_[w].compare_exchange_acq_rel(bits, bits | bit(lowest))) continue;
    if ((bits | bit(lowest)) == kAll) note_full(w);
    return w * 64 + lowest;
  }
  return std::nullopt;
}

std::optional<ContextId> ContextRegistry::take(std::uint32_t members) {
  for (std::uint32_t f = 0; f < kWords / 64; ++f) {
    // Relaxed: a stale value costs one more check of a full word, or yields a higher number.
    std::uint64_t full = full_[f].load_relaxed();
    while (full != kAll) {
      const std::uint32_t lowest = lowest_zero(full);
      if (const auto number = take_in(f * 64 + lowest)) {
        // Relaxed: the message that carries the id to the other members orders the store;
        // take_in() orders the load.
        Holders& holders = holders_[*number];
        holders.members.store_relaxed(members);
        return *number | (holders.generation.load_relaxed() & (kGenerations - 1)) << kNumberBits;
      }
      full |= bit(lowest);
    }
  }
  return std::nullopt;
}

// Marks word `w` as full. free() clears the mark when it frees a number of a full word. If that
// happened before the mark was set, the load below sees the free number, and this function clears
// the mark.
void ContextRegistry::note_full(std::uint32_t w) {
  full_[w / 64].fetch_or_acq_rel(bit(w));  // pairs with free()'s second fetch_and
  // Acquire, so that the load is not reordered before the fetch_or. Pairs with free()'s first
  // fetch_and.
  if (taken_[w].load_acquire() != kAll) full_[w / 64].fetch_and_acq_rel(~bit(w));
}

void ContextRegistry::share(ContextId id, std::uint32_t members) {
  // The count cannot become zero here, because the caller has yet to release.
  // Relaxed: only release() needs order, and its fetch_add has it.
  holders_[number(id)].members.fetch_add_relaxed(members);
}

bool ContextRegistry::release(ContextId id) {
  // Pairs with release() of the other members: the last one sees everything that the others did
  // before they released.
  return holders_[number(id)].members.fetch_add_acq_rel(-1u) == 1;
}

void ContextRegistry::free(ContextId id) {
  const std::uint32_t w = number(id) / 64;
  // Relaxed: the fetch_and below publishes it.
  holders_[number(id)].generation.fetch_add_relaxed(1);
  // Pairs with the compare-exchange in take_in() and with the load in note_full().
  const std::uint64_t before = taken_[w].fetch_and_acq_rel(~bit(number(id)));
  ATL_CHECK((before & bit(number(id))) != 0, "the number of a communicator is freed twice: %u",
            number(id));
  if (before == kAll)
    full_[w / 64].fetch_and_acq_rel(~bit(w));  // pairs with note_full()'s fetch_or
}

std::uint32_t ContextRegistry::in_use() const {
  std::uint32_t count = 0;
  for (const auto& word : taken_) {
    // Relaxed: a snapshot orders nothing.
    count += static_cast<std::uint32_t>(std::popcount(word.load_relaxed()));
  }
  return count;
}

}  // namespace atl::shm
