// The structure of one element of a datatype: blocks of elements of other types. All constructors
// produce one of three arrangements; subarray and darray are nested from them, as the standard
// defines.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "datatype/problem.h"

namespace atl::datatype {

// The kind of a basic value, for signatures and reduction operations.
enum class Kind : std::uint8_t {
  bytes = 0,     // matches everything
  integer = 1,   // also characters, logicals and addresses
  floating = 2,  // a complex number is two of these
};

// The representation of a basic value, for conversions to and from external32.
enum class Format : std::uint8_t {
  bytes,
  unsigned_integer,
  signed_integer,
  ieee,  // binary16 to binary128
  x87,   // 80 bits; the C type long double
};

// A basic value: MPI_Get_elements counts it as one, whatever its parts.
struct Basic {
  Kind kind;
  Format format;
  std::uint8_t width;     // bytes of a part
  std::uint8_t external;  // bytes of a part in external32
  std::uint8_t parts;     // 2 for complex numbers
};

// MPI-1's MPI_LB or MPI_UB, which have no data.
struct Marker {
  bool upper;
};

// `count` blocks of `blocklength` elements, `stride` bytes apart.
struct Strided {
  Count count;
  Count blocklength;
  Count stride;
};

// Blocks of elements of one type. The spans refer to Contents::arguments of the same type.
struct Listed {
  std::span<const Count> displacements;
  Count unit;                           // bytes per displacement
  std::span<const Count> blocklengths;  // empty if all are `blocklength`
  Count blocklength;

  Count displacement(std::size_t i) const { return displacements[i] * unit; }
  Count length(std::size_t i) const { return blocklengths.empty() ? blocklength : blocklengths[i]; }
};

// Blocks of elements, each block with its own type.
struct Fields {
  std::span<const Count> displacements;  // bytes
  std::span<const Count> blocklengths;
  std::vector<std::size_t> bytes_before;   // of all fields before this one
  std::vector<std::size_t> values_before;  // basic values
};

using Structure = std::variant<Basic, Marker, Strided, Listed, Fields>;

}  // namespace atl::datatype
