#include "shm/context_registry.h"

#include <bit>

#include "base/check.h"

namespace atl::shm {
namespace {

constexpr std::uint64_t kAll = ~0ull;

std::uint64_t bit(std::uint32_t index) { return 1ull << index % 64; }

// Of a word that has one. Not std::countr_one(), which also answers for a word of ones.
std::uint32_t lowest_zero(std::uint64_t word) {
  return static_cast<std::uint32_t>(__builtin_ctzll(~word));
}

}  // namespace

// The lowest number of a word of the map.
[[gnu::always_inline]] inline std::optional<std::uint32_t> ContextRegistry::take_in(
    std::uint32_t w) {
  std::uint64_t bits = taken_[w].load_relaxed();  // the exchange below decides
  while (bits != kAll) {
    const std::uint32_t lowest = lowest_zero(bits);
    // Pairs with free()'s fetch_and: the last holder's generation is visible.
    if (!taken_[w].compare_exchange_acq_rel(bits, bits | bit(lowest))) continue;
    if ((bits | bit(lowest)) == kAll) note_full(w);
    return w * 64 + lowest;
  }
  return std::nullopt;
}

std::optional<ContextId> ContextRegistry::take(std::uint32_t members) {
  for (std::uint32_t f = 0; f < kWords / 64; ++f) {
    std::uint64_t full = full_[f].load_relaxed();  // old news costs a look, or a higher number
    while (full != kAll) {
      const std::uint32_t lowest = lowest_zero(full);
      if (const auto number = take_in(f * 64 + lowest)) {
        // Relaxed: the others learn of the id by a message, which orders this.
        Holders& holders = holders_[*number];
        holders.members.store_relaxed(members);
        return *number | (holders.generation.load_relaxed() & (kGenerations - 1)) << kNumberBits;
      }
      full |= bit(lowest);
    }
  }
  return std::nullopt;
}

// Whoever frees a number of a full word takes the note back. When that came before the
// note, what was freed is seen here.
void ContextRegistry::note_full(std::uint32_t w) {
  full_[w / 64].fetch_or_acq_rel(bit(w));  // pairs with free()'s second fetch_and
  // Acquire: not before the line above. Pairs with free()'s first fetch_and.
  if (taken_[w].load_acquire() != kAll) full_[w / 64].fetch_and_acq_rel(~bit(w));
}

void ContextRegistry::share(ContextId id, std::uint32_t members) {
  // Cannot come to zero: the caller has yet to release. No order is needed, the
  // one that counts is that of the releases.
  holders_[number(id)].members.fetch_add_relaxed(members);
}

bool ContextRegistry::release(ContextId id) {
  // Acq_rel: the last one to release has seen what all others did before.
  return holders_[number(id)].members.fetch_add_acq_rel(-1u) == 1;
}

void ContextRegistry::free(ContextId id) {
  const std::uint32_t w = number(id) / 64;
  holders_[number(id)].generation.fetch_add_relaxed(1);  // ordered by the next line
  // Pairs with the compare-exchange in take_in(), and with note_full().
  const std::uint64_t before = taken_[w].fetch_and_acq_rel(~bit(number(id)));
  ATL_CHECK((before & bit(number(id))) != 0, "the number of a communicator is freed twice: %u",
            number(id));
  if (before == kAll) full_[w / 64].fetch_and_acq_rel(~bit(w));  // pairs with note_full()
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
