// Why a constructor refuses its arguments. This layer does not know MPI's error classes; the caller
// derives the class from the reason.
#pragma once

#include <cstdint>
#include <string>

namespace atl::datatype {

// A count, length, displacement or extent: what MPI_Count and MPI_Aint hold.
using Count = std::int64_t;

// Wide enough for the sum of products of two counts.
__extension__ typedef __int128 Wide;

constexpr bool fits(Wide value) { return value == static_cast<Count>(value); }

struct Problem {
  enum class Reason : std::uint8_t {
    none,
    negative,
    out_of_range,  // not one of the values that the other arguments allow
    overflow,      // sizes or bounds of the new type exceed 64 bits
    too_deep,      // nested more than kMaximalDepth types
  };

  explicit operator bool() const { return reason != Reason::none; }

  // "array_of_blocklengths[3]=-1 is negative".
  std::string text() const;

  Reason reason = Reason::none;
  const char* argument = "";  // its name in the standard
  Count index = -1;           // in the argument, if that is an array
  Count value = 0;
};

}  // namespace atl::datatype
