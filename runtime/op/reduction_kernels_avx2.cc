// The loops compiled for AVX2.
#include "runtime/op/reduction_kernels.h"

#include <type_traits>

#if defined(__x86_64__)
#pragma GCC target("avx2")

namespace atl::op::avx2 {
#include "runtime/op/reduction_loops.h"
}  // namespace atl::op::avx2

#endif
