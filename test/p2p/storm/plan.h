// What a storm sends: every rank draws the same plan from the same random numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace storm {

inline constexpr int kCommunicators = 3;
inline constexpr int kTags = 3;
inline constexpr int kReadyTag = 100;     // and above: receives posted before the round begins
inline constexpr int kNeverTag = 9999;    // never sent
inline constexpr int kMessagesEach = 24;  // of each sender in a round
inline constexpr std::size_t kLargest = 8 << 20;     // bytes
inline constexpr std::size_t kBytesEach = 16 << 20;  // of each sender in a round
inline constexpr std::size_t kLargestBuffered = 200000;

enum class Mode { standard, synchronous, buffered, ready, persistent, taken_back, count };

struct Message {
  int source = 0;
  int dest = 0;
  int comm = 0;  // index of the communicator
  int tag = 0;
  std::size_t bytes = 0;
  Mode mode = Mode::standard;
  std::uint64_t seed = 0;  // of the pattern

  // The widest of three types that divides the message.
  MPI_Datatype type() const {
    return bytes % 8 == 0 ? MPI_DOUBLE : bytes % 4 == 0 ? MPI_INT : MPI_BYTE;
  }
  int count() const { return int(bytes % 8 == 0 ? bytes / 8 : bytes % 4 == 0 ? bytes / 4 : bytes); }
};

using Plan = std::vector<Message>;

inline Plan draw_plan(check::Random& random) {
  Plan plan;
  int ready = 0;
  for (int source = 0; source < check::size; ++source) {
    std::size_t left = kBytesEach;
    for (int i = 0; i < kMessagesEach; ++i) {
      Message message;
      message.source = source;
      message.dest = int(random.below(check::size));
      message.comm = int(random.below(kCommunicators));
      message.mode = Mode(random.below(int(Mode::count)));
      message.tag = message.mode == Mode::ready ? kReadyTag + ready++ : int(random.below(kTags));
      message.bytes = random.one_in(16) ? 0 : random.size(std::min(left, kLargest));
      if (message.mode == Mode::buffered) message.bytes %= kLargestBuffered;
      message.seed = random.next();
      left -= message.bytes;
      plan.push_back(message);
    }
  }
  return plan;
}

}  // namespace storm
