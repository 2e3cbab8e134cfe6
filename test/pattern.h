// Reproducible data: random numbers, buffers with guard bytes, patterns whose
// every word depends on a seed and on its place, and checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "test/check.h"

namespace check {

// SplitMix64: small, fast, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound).
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  bool one_in(unsigned n) { return below(n) == 0; }

  // A size in bytes from 0 to `most`, each power of two as likely as another.
  std::size_t size(std::size_t most) {
    unsigned powers = 1;
    while ((std::size_t{1} << powers) <= most) ++powers;
    const std::size_t bound = std::size_t{1} << below(powers);
    const std::size_t bytes = (bound >> 1) + below((bound >> 1) + 1);
    return bytes < most ? bytes : most;
  }

 private:
  std::uint64_t state_;
};

inline std::uint64_t pattern_word(std::uint64_t seed, std::size_t index) {
  return (seed + 1) * 0xd1342543de82ef95ull + index * 0x9e3779b97f4a7c15ull;
}

// Writes `bytes` of the pattern of `seed`.
inline void fill(void* to, std::size_t bytes, std::uint64_t seed) {
  auto* out = static_cast<unsigned char*>(to);
  std::size_t i = 0;
  for (; (i + 1) * 8 <= bytes; ++i) {
    const std::uint64_t word = pattern_word(seed, i);
    std::memcpy(out + i * 8, &word, 8);
  }
  const std::uint64_t word = pattern_word(seed, i);
  if (bytes > i * 8) std::memcpy(out + i * 8, &word, bytes - i * 8);
}

// The first byte that is not the pattern's, or `bytes` when all are.
inline std::size_t first_difference(const void* data, std::size_t bytes, std::uint64_t seed) {
  const auto* in = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i * 8 < bytes; ++i) {
    const std::uint64_t word = pattern_word(seed, i);
    const std::size_t length = bytes - i * 8 < 8 ? bytes - i * 8 : 8;
    if (std::memcmp(in + i * 8, &word, length) == 0) continue;
    for (std::size_t j = 0; j < length; ++j) {
      if (in[i * 8 + j] != reinterpret_cast<const unsigned char*>(&word)[j]) return i * 8 + j;
    }
  }
  return bytes;
}

#define CHECK_PATTERN(data, bytes, seed)                                    \
  check::equal(__FILE__, __LINE__, "first wrong byte of " #data " == size", \
               check::first_difference(data, bytes, seed), std::size_t(bytes))

// The sum of all 8-byte words, the last padded with zeros.
inline std::uint64_t checksum(const void* data, std::size_t bytes) {
  const auto* in = static_cast<const unsigned char*>(data);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, in + i, bytes - i < 8 ? bytes - i : 8);
    sum += word;
  }
  return sum;
}

// Memory for a message between two guards. It starts at an odd address unless
// told otherwise, as a message in the middle of a user's array may.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes, std::size_t misalign = 1)
      : bytes_(bytes), begin_(kGuard + misalign), memory_(begin_ + bytes + kGuard, kGuardByte) {}

  unsigned char* data() { return memory_.data() + begin_; }
  std::size_t size() const { return bytes_; }

  // Whether no byte outside [data, data + used) was written since construction or reset().
  bool guards_intact(std::size_t used) const {
    for (std::size_t i = 0; i < begin_; ++i) {
      if (memory_[i] != kGuardByte) return false;
    }
    for (std::size_t i = begin_ + used; i < memory_.size(); ++i) {
      if (memory_[i] != kGuardByte) return false;
    }
    return true;
  }
  bool guards_intact() const { return guards_intact(bytes_); }

  void reset() { std::memset(memory_.data(), kGuardByte, memory_.size()); }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kGuardByte = 0xa5;

  std::size_t bytes_;
  std::size_t begin_;
  std::vector<unsigned char> memory_;
};

// Sizes in bytes around every threshold that a transport may have.
inline std::vector<int> interesting_sizes(int most) {
  std::vector<int> sizes;
  for (int bytes : {0,      1,     7,     8,      40,     41,     42,
                    43,     44,    63,    64,     1000,   4096,   16383,
                    16384,  16385, 65536, 262143, 262144, 262145, (1 << 20) + 3,
                    8 << 20}) {
    if (bytes <= most) sizes.push_back(bytes);
  }
  return sizes;
}

// The largest message worth sending when `ranks` do so at once, in bytes.
inline int largest_size(int ranks) {
  return ranks <= 4 ? 8 << 20 : ranks <= 8 ? (1 << 20) + 3 : 65536;
}

}  // namespace check
