// A value in shared memory with one writer and any number of readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/shared.h"

namespace atl::shm {

// A sequence lock. The store that makes `sequence_` even again publishes the value.
template <class T>
class Published {
 public:
  void publish(const T& value);

  // False when the writer was writing during all attempts (it may have died while writing).
  bool read(T& into) const;

  // Changes with each value. Relaxed: a caller that compares two results orders the calls itself.
  std::uint32_t sequence() const { return sequence_.load_relaxed(); }

 private:
  static constexpr std::size_t kWords = sizeof(T) / sizeof(std::uint64_t);
  static_assert(sizeof(T) % sizeof(std::uint64_t) == 0);

  Shared<std::uint32_t> sequence_;  // odd while the owner writes
  // Atomic words: a reader may see words of different values, but there is no data race.
  Shared<std::uint64_t> words_[kWords];
};

template <class T>
void Published<T>::publish(const T& value) {
  std::uint64_t raw[kWords];
  std::memcpy(raw, &value, sizeof raw);
  const std::uint32_t before = sequence_.load_relaxed();  // Relaxed: only the owner writes it.
  sequence_.store_relaxed(before | 1);  // Relaxed: the stores of the words order it.
  // Pairs with the words' loads in read(): a reader that sees one of the new words also sees the
  // odd sequence number when it loads it again.
  for (std::size_t i = 0; i < kWords; ++i) words_[i].store_release(raw[i]);
  // Pairs with the first load in read(): all words before the even sequence number.
  sequence_.store_release((before | 1) + 1);
}

template <class T>
bool Published<T>::read(T& into) const {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint32_t before = sequence_.load_acquire();  // pairs with publish()'s last store
    if (before & 1) continue;
    std::uint64_t raw[kWords];
    // Pairs with the words' stores in publish().
    for (std::size_t i = 0; i < kWords; ++i) raw[i] = words_[i].load_acquire();
    if (sequence_.load_relaxed() != before) continue;  // Relaxed: the words' loads order it.
    std::memcpy(&into, raw, sizeof raw);
    return true;
  }
  return false;
}

}  // namespace atl::shm
