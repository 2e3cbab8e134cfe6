// Where the data of an operation is at its target (MPI 5.0, 12.3).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "datatype/datatype.h"
#include "runtime/core/error.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

using datatype::Datatype;

// The elements at the target: `count` elements of `type`.
struct Layout {
  const Datatype& type;
  std::size_t count;

  std::size_t bytes() const { return count * type.size(); }
};

inline Layout layout_of(const Datatype& type, MPI_Count count) {
  return {type, static_cast<std::size_t>(count)};
}

// The address of the elements, as pointers into them are computed: displacement * unit from the
// base of the window.
struct Place {
  Target* target = nullptr;     // null: MPI_PROC_NULL, the operation has no effect
  std::byte* direct = nullptr;  // in this process; null: only the kernel reaches the target
  std::uint64_t address = 0;    // in the target's process
};

// Opens the access epoch to the target if it is not open yet: the first operation after a fence, or
// to a target after MPI_Win_lock_all. MPI_ERR_RMA_SYNC when there is no epoch.
[[gnu::cold]] Error open_access(WindowState& state, Target& target);

// The range of bytes that `count` elements cover, from their address: [first, end).
struct Range {
  std::int64_t first;
  std::int64_t end;
};
// False when it does not fit into 64 bits.
bool range_of(const Layout& layout, Range& range);

// The general case of find_place().
Error find_any_place(WindowState& state, Target& target, MPI_Aint displacement,
                     const Layout& layout, Place& place);

// Finds the place of an operation. Checks the rank, the epoch and the range.
inline Error find_place(WindowState& state, int rank, MPI_Aint displacement, const Layout& layout,
                        Place& place) {
  if (__builtin_expect(static_cast<std::size_t>(rank) >= state.targets.size(), 0)) {
    return rank == MPI_PROC_NULL ? Error() : no_such_rank(state, "target_rank", rank);
  }
  Target& target = state.targets[static_cast<std::size_t>(rank)];
  if (__builtin_expect(!state.open_to_all && target.hold == Hold::none, 0)) {
    if (Error error = open_access(state, target)) return error;
  }
  // `memory` is null also in a dynamic window.
  const Datatype& type = layout.type;
  if (__builtin_expect(target.memory != nullptr && type.is_contiguous(), 1)) {
    const std::uint64_t bytes = layout.bytes();
    std::uint64_t start = 0;
    // A negative displacement, or sum, is a large unsigned number.
    const bool overflows =
        __builtin_mul_overflow(static_cast<std::uint64_t>(displacement),
                               static_cast<std::uint64_t>(target.exposed.disp_unit), &start) ||
        displacement < 0;
    start += static_cast<std::uint64_t>(type.true_lower_bound());
    if (__builtin_expect(
            !overflows && start <= target.exposed.bytes && bytes <= target.exposed.bytes - start,
            1)) {
      place.target = &target;
      place.direct = target.memory + start - type.true_lower_bound();
      return {};
    }
  }
  return find_any_place(state, target, displacement, layout, place);
}

// MPI_ERR_TRUNCATE, MPI_ERR_TYPE.
[[gnu::cold]] Error does_not_fit(const Layout& from, const Layout& to);

// All data of `from` is copied to `to`: MPI_ERR_TRUNCATE when it is longer, MPI_ERR_TYPE when the
// type signatures do not match (12.3.1).
inline Error check_fits(const Layout& from, const Layout& to) {
  if (__builtin_expect(&from.type == &to.type && from.count <= to.count, 1)) return {};
  const std::size_t bytes = from.bytes();
  if (bytes <= to.bytes() &&
      datatype::signatures_match(from.type.signature(bytes), to.type.signature(bytes))) {
    return {};
  }
  return does_not_fit(from, to);
}

}  // namespace atl::rma
