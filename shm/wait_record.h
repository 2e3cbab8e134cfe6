// What a rank that sleeps inside MPI waits for, readable from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shm/base/shared.h"

namespace atl::shm {

// A consistent copy of a wait record, or what the owner wants to publish.
struct WaitInfo {
  char call[32] = {};            // "MPI_Recv"; empty: the rank does not wait
  char communicator[64] = {};    // its name, cut to fit
  std::int32_t peer = 0;         // rank in the communicator, or a negative MPI constant
  std::int32_t peer_world = -1;  // the peer's rank in MPI_COMM_WORLD, -1 = none or any
  std::int32_t tag = 0;
  std::uint32_t requests = 0;  // how many requests it waits for at once
  std::uint64_t bytes = 0;
  std::int64_t since_ns = 0;  // CLOCK_MONOTONIC
};

// A sequence lock: one writer, the owner; any number of readers.
// The store that makes `sequence_` even again publishes the record.
class WaitRecord {
 public:
  void publish(const WaitInfo& info);
  void clear() { publish(WaitInfo{}); }

  // False when the owner was writing all the while (it may have died there).
  bool read(WaitInfo& into) const;

 private:
  static constexpr std::size_t kWords = sizeof(WaitInfo) / sizeof(std::uint64_t);
  static_assert(sizeof(WaitInfo) % sizeof(std::uint64_t) == 0);

  Shared<std::uint32_t> sequence_;  // odd while the owner writes
  // Words, not bytes, and atomic: a reader may see a mixture, never a data race.
  Shared<std::uint64_t> words_[kWords];
};

inline void WaitRecord::publish(const WaitInfo& info) {
  std::uint64_t raw[kWords];
  std::memcpy(raw, &info, sizeof raw);
  const std::uint32_t before = sequence_.load_relaxed();  // only the owner writes it
  sequence_.store_relaxed(before | 1);                    // ordered by the words' stores
  // Pairs with the words' loads in read(): a reader that sees one of the new
  // words also sees the odd sequence when it looks again.
  for (std::size_t i = 0; i < kWords; ++i) words_[i].store_release(raw[i]);
  // Pairs with the first load in read(): all words before the even sequence.
  sequence_.store_release((before | 1) + 1);
}

inline bool WaitRecord::read(WaitInfo& into) const {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint32_t before = sequence_.load_acquire();  // pairs with publish's last store
    if (before & 1) continue;
    std::uint64_t raw[kWords];
    // Pairs with the words' stores in publish(): see there.
    for (std::size_t i = 0; i < kWords; ++i) raw[i] = words_[i].load_acquire();
    if (sequence_.load_relaxed() != before) continue;  // ordered by the words' loads
    std::memcpy(&into, raw, sizeof raw);
    return true;
  }
  return false;
}

}  // namespace atl::shm
