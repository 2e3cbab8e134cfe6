// The memory that members attach to a dynamic window (MPI 5.0, 12.2.4).
#pragma once

#include <mpi.h>

#include "runtime/rma/place.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

Error attach(Window& win, void* base, MPI_Aint size);
Error detach(Window& win, const void* base);

// The region of the target that contains `range` from `address` on. False: there is none.
bool find_attached(WindowState& state, Target& target, std::int64_t address, const Range& range,
                   Exposed& region);

}  // namespace atl::rma
