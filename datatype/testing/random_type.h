// Random types for tests: small, nested, with all constructors, gaps, overlaps,
// negative strides and empty parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datatype/constructors.h"

namespace atl::datatype::testing {

// Draws numbers from bytes, so that a fuzzer can control them; zeros when the bytes are used up.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // In [low, high], which is at most 256 numbers.
  Count number(Count low, Count high);
  // Any number of 64 bits, often one at an end of the range.
  Count wild();
  bool exhausted() const { return next_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

// A type of at most `values` basic values, made by at most `depth` nested
// constructors. Arguments that a constructor refuses end the nesting.
Reference random_type(Choices& choices, int depth, std::size_t values);

// A type made with numbers of any size, which constructors may refuse; not for copying data. Null
// at the first refusal.
Reference wild_type(Choices& choices, int depth);

// Bytes from a generator whose result is the same on every machine.
std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t number);

}  // namespace atl::datatype::testing
