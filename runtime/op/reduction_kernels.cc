#include "runtime/op/reduction_kernels.h"

#include <type_traits>

namespace atl::op {
namespace baseline {
#include "runtime/op/reduction_loops.h"
}  // namespace baseline

Kernel find_kernel(Code code, const Operand& operand) {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide) return avx2::find_kernel(code, operand);
#endif
  return baseline::find_kernel(code, operand);
}

}  // namespace atl::op
