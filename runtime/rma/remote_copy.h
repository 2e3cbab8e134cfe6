// Copies between this process and memory that only the kernel reaches: memory that the target did
// not get from MPI, in a window made by MPI_Win_create or attached to a dynamic window.
#pragma once

#include "runtime/core/error.h"
#include "runtime/rma/place.h"

namespace atl::rma {

// Copies all data from `origin_addr` in this process to the place, or back. MPI_ERR_OTHER when the
// target's memory cannot be reached.
Error write_remote(WindowState& state, const Place& place, const Layout& target,
                   const Layout& origin, const void* origin_addr);
Error read_remote(WindowState& state, const Place& place, const Layout& target,
                  const Layout& origin, void* origin_addr);

// Copies bytes [start, start + length) of the stream of the elements at the place, to or from
// contiguous memory of this process.
enum class Direction : std::uint8_t { read, write };
Error copy_remote(WindowState& state, const Place& place, const Layout& target, std::size_t start,
                  std::byte* memory, std::size_t length, Direction direction);

}  // namespace atl::rma
