// The predefined operations on arrays of C++ values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/op/operand.h"

namespace atl::op {

// The values are those of MPI_SUM, ... in the standard ABI.
enum class Code : std::uint8_t {
  sum = 0x21,
  min,
  max,
  prod,
  band = 0x28,
  bor,
  bxor,
  land = 0x30,
  lor,
  lxor,
  minloc = 0x38,
  maxloc,
  replace = 0x3c,
  no_op,
};

// out[i] = left[i] op right[i], for `count` elements. The arrays have the alignment that C++
// requires and do not overlap, but `out` may be `left` or `right`.
using Kernel = void (*)(const void* left, const void* right, void* out, std::size_t count);

// The kernel for the widest vectors of this processor. Null when the standard does not define the
// operation on the operands.
Kernel find_kernel(Code code, const Operand& operand);

namespace baseline {
Kernel find_kernel(Code code, const Operand& operand);
}
namespace avx2 {
Kernel find_kernel(Code code, const Operand& operand);
}

}  // namespace atl::op
