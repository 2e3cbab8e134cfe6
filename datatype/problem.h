// Why a constructor refuses its arguments. What has no MPI cannot name an error
// class; the caller makes one of the reason.
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
    too_deep,      // types within types, without end
  };

  explicit operator bool() const { return reason != Reason::none; }

  // "array_of_blocklengths[3]=-1 is negative".
  std::string text() const;

  Reason reason = Reason::none;
  const char* argument = "";  // the standard's name of it
  Count index = -1;           // within the argument, when that is an array
  Count value = 0;
};

}  // namespace atl::datatype
