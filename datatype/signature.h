// Type signatures of messages, which must agree on both sides (MPI 5.0, 3.3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "datatype/structure.h"

namespace atl::datatype {

// The type signature of a message in 32 bits, compared when a message matches its receive. It is
// intentionally coarser than the standard's: values of the same kind and width have the same
// representation on a node, so int, MPI_INT32_T and MPI_INTEGER agree, and a complex number agrees
// with two reals. Equal sequences of values have equal signatures, however types group them.
using Signature = std::uint32_t;

inline constexpr Signature kAnySignature = 0;  // MPI_BYTE and MPI_PACKED match everything

// Signature of one basic value, or of any number of equal ones.
constexpr Signature basic_signature(Kind kind, std::size_t width) {
  return kind == Kind::bytes ? kAnySignature
                             : static_cast<Signature>(kind) << 8 | static_cast<Signature>(width);
}

// Flag of signatures with basic values of more than one kind or width; the other bits are a hash.
inline constexpr Signature kMixed = 0x80000000u;
constexpr bool is_mixed(Signature signature) { return (signature & kMixed) != 0; }

constexpr bool signatures_match(Signature a, Signature b) {
  return a == b || a == kAnySignature || b == kAnySignature;
}

// "4-byte integers"; for error messages.
std::string describe(Signature signature);

// The signature of a sequence of values, in a form that can be concatenated: a polynomial over the
// values, modulo the prime 2^61 - 1.
class SignatureHash {
 public:
  SignatureHash() = default;  // no values
  SignatureHash(Signature basic, std::uint64_t values);

  bool empty() const { return length_ == 0; }

  // The signature of this sequence followed by `next`, and of `times` copies of this sequence.
  SignatureHash then(const SignatureHash& next) const;
  SignatureHash repeated(std::uint64_t times) const;

  // The signature that is sent in messages.
  Signature signature() const;

 private:
  SignatureHash(Signature uniform, std::uint64_t hash, std::uint64_t length)
      : uniform_(uniform), hash_(hash), length_(length) {}

  Signature uniform_ = kAnySignature;  // of each value; kMixed when they differ
  std::uint64_t hash_ = 0;
  std::uint64_t length_ = 0;  // values, modulo 2^64
};

}  // namespace atl::datatype
