// Finds out where memory is that a member exposes.
#pragma once

#include <cstdint>

#include "runtime/rma/window_block.h"

namespace atl::rma {

// `bytes` bytes at `base` in this process: memory of MPI_Alloc_mem or of a window is in a heap of
// the segment.
Exposed exposed_memory(void* base, std::uint64_t bytes, std::int64_t disp_unit);

}  // namespace atl::rma
