// A set of processing units, by the operating system's numbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "launcher/base/text.h"

namespace atl::launcher {

class CpuSet {
 public:
  static constexpr int kLimit = 8192;  // the most that Linux can be built for

  void add(int cpu) {
    if (cpu >= 0 && cpu < kLimit) words_[cpu / kBits] |= 1ul << (cpu % kBits);
  }
  bool contains(int cpu) const {
    return cpu >= 0 && cpu < kLimit && (words_[cpu / kBits] >> (cpu % kBits) & 1) != 0;
  }
  bool empty() const { return *this == CpuSet{}; }
  int count() const {
    int sum = 0;
    for (const unsigned long word : words_) sum += std::popcount(word);
    return sum;
  }
  std::vector<int> cpus() const {
    std::vector<int> list;
    for (int word = 0; word < kLimit / kBits; ++word) {
      for (unsigned long rest = words_[word]; rest != 0; rest &= rest - 1) {
        list.push_back(word * kBits + std::countr_zero(rest));
      }
    }
    return list;
  }
  std::string to_string() const { return ranges(cpus()); }  // "0-3,64-67"

  bool operator==(const CpuSet&) const = default;

  // The format of the affinity system calls.
  static constexpr std::size_t kBytes = kLimit / 8;
  unsigned long* words() { return words_.data(); }
  const unsigned long* words() const { return words_.data(); }

 private:
  static constexpr int kBits = 8 * sizeof(unsigned long);
  std::array<unsigned long, kLimit / kBits> words_{};
};

}  // namespace atl::launcher
