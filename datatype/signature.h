// What a message consists of, as far as both sides must agree (MPI 5.0, 3.3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace atl::datatype {

// The type signature of a message in 32 bits, compared when a message meets
// its receive. Coarser than the standard's, on purpose: what has the same kind
// and width has the same representation on a node, so int, MPI_INT32_T and
// MPI_INTEGER agree, and a complex number agrees with two reals.
using Signature = std::uint32_t;

inline constexpr Signature kAnySignature = 0;  // MPI_BYTE and MPI_PACKED match everything

enum class Kind : std::uint8_t {
  bytes = 0,     // matches everything
  integer = 1,   // characters, logicals and addresses too
  floating = 2,  // a complex number is two of these
};

// Signature of one basic value or any number of them in a row.
constexpr Signature basic_signature(Kind kind, std::size_t width) {
  return kind == Kind::bytes ? kAnySignature
                             : static_cast<Signature>(kind) << 8 | static_cast<Signature>(width);
}

// Signature of `first` followed by `second`, in a type that repeats the two.
constexpr Signature sequence_signature(Signature first, Signature second) {
  if (first == second) return first;
  if (first == kAnySignature || second == kAnySignature) return kAnySignature;
  return 0x80000000u | (first * 0x01000193u ^ second);
}

// Made of basic values of more than one kind or width.
constexpr bool is_mixed(Signature signature) { return (signature & 0x80000000u) != 0; }

constexpr bool signatures_match(Signature a, Signature b) {
  return a == b || a == kAnySignature || b == kAnySignature;
}

// "4-byte integers"; for error messages.
std::string describe(Signature signature);

}  // namespace atl::datatype
