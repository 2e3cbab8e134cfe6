#include "shm/context_registry.h"

#include <bit>

namespace atl::shm {
namespace {

constexpr std::uint32_t kGenerationMask = 0x7fff;

}  // namespace

std::optional<ContextId> ContextRegistry::take(std::uint32_t members) {
  const std::uint32_t start = hint_.load_relaxed();  // any value is right, a good one is fast
  for (std::uint32_t i = 0; i < kWords; ++i) {
    const std::uint32_t w = (start + i) % kWords;
    std::uint64_t bits = taken_[w].load_relaxed();
    while (bits != ~0ull) {
      const std::uint64_t bit = 1ull << std::countr_one(bits);
      // Pairs with release()'s fetch_and: the last holder's generation is visible.
      if (!taken_[w].compare_exchange_acq_rel(bits, bits | bit)) continue;
      hint_.store_relaxed(w);
      const std::uint32_t number = w * 64 + static_cast<std::uint32_t>(std::countr_zero(bit));
      // Relaxed: the others learn of the id by a message, which orders this.
      Holders& holders = holders_[number];
      holders.members.store_relaxed(members);
      return number | (holders.generation.load_relaxed() & kGenerationMask) << 16;
    }
  }
  return std::nullopt;
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
  holders_[number(id)].generation.fetch_add_relaxed(1);  // ordered by the next line
  // Pairs with the compare-exchange in take().
  taken_[number(id) / 64].fetch_and_acq_rel(~(1ull << number(id) % 64));
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
