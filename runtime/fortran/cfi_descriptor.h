// The C descriptor of Fortran 2018 (18.5.3), which the compiler passes for an array of any type and
// rank: TYPE(*), DIMENSION(..).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fortran/sentinels.h"

namespace atl::fortran {

// As in ISO_Fortran_binding.h of gfortran and flang, except for fields that they order differently.
struct Descriptor {
  struct Dimension {
    std::ptrdiff_t lower_bound;
    std::ptrdiff_t extent;  // -1: the last dimension of an assumed-size array
    std::ptrdiff_t stride;  // bytes
  };

  void* base_addr;
  std::size_t elem_len;  // bytes
  int version;
  signed char rank;
  unsigned char compiler_s_own[3];
  Dimension dim[];  // the first varies fastest
};

static_assert(offsetof(Descriptor, dim) == 24);

// Whether the elements follow each other without gaps.
inline bool contiguous(const Descriptor& array) {
  auto expected = static_cast<std::ptrdiff_t>(array.elem_len);
  for (int i = 0; i < array.rank; ++i) {
    const Descriptor::Dimension& dimension = array.dim[i];
    if (dimension.extent <= 0) return true;  // empty, or of assumed size
    if (dimension.stride != expected && dimension.extent != 1) return false;
    expected *= dimension.extent;
  }
  return true;
}

inline void* address_in_c(const Descriptor& array) { return address_in_c(array.base_addr); }

}  // namespace atl::fortran
