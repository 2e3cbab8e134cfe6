// What one element of a datatype consists of: blocks of elements of other
// types. All constructors come down to three arrangements; subarray and darray
// are made of them as the standard defines.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "datatype/problem.h"

namespace atl::datatype {

// What a value's bytes mean, as far as a conversion or a comparison asks.
enum class Kind : std::uint8_t {
  bytes = 0,     // matches everything
  integer = 1,   // characters, logicals and addresses too
  floating = 2,  // a complex number is two of these
};

// How a value is written, as far as a conversion asks.
enum class Format : std::uint8_t {
  bytes,
  unsigned_integer,
  signed_integer,
  ieee,  // binary16 to binary128
  x87,   // 80 bits; the C type long double
};

// A basic value: no part of it is shown to MPI_Get_elements.
struct Basic {
  Kind kind;
  Format format;
  std::uint8_t width;     // bytes of a part
  std::uint8_t external;  // bytes of a part in external32
  std::uint8_t parts;     // 2 for complex numbers
};

// No data; MPI-1's MPI_LB and MPI_UB.
struct Marker {
  bool upper;
};

// `count` blocks of `blocklength` elements, `stride` bytes apart.
struct Strided {
  Count count;
  Count blocklength;
  Count stride;
};

// Blocks of elements of one type. The spans are of the type's own arguments.
struct Listed {
  std::span<const Count> displacements;
  Count unit;                           // bytes per displacement
  std::span<const Count> blocklengths;  // empty where all are `blocklength`
  Count blocklength;

  Count displacement(std::size_t i) const { return displacements[i] * unit; }
  Count length(std::size_t i) const { return blocklengths.empty() ? blocklength : blocklengths[i]; }
};

// Blocks of elements of one type each.
struct Fields {
  std::span<const Count> displacements;  // bytes
  std::span<const Count> blocklengths;
  std::vector<std::size_t> bytes_before;   // of all fields before this one
  std::vector<std::size_t> values_before;  // basic values
};

using Structure = std::variant<Basic, Marker, Strided, Listed, Fields>;

}  // namespace atl::datatype
