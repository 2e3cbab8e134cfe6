// Accumulates of many elements, or of elements that no atomic instruction updates: plain loops,
// while the guard of the target is claimed.
#pragma once

#include <optional>

#include "runtime/rma/element_update.h"
#include "runtime/rma/place.h"

namespace atl::rma {

// Data in this process.
struct Buffer {
  Layout layout;
  void* address;
};

struct AccumulateArguments {
  Layout target;
  std::size_t bytes = 0;  // of the data that is updated
  ElementUpdate update = {};
  std::optional<Buffer> origin = {};  // none: MPI_NO_OP
  std::optional<Buffer> result = {};  // none: the values before are not fetched
};

Error bulk_update(WindowState& state, const AccumulateArguments& call, const Place& place);

Error bulk_compare_and_swap(WindowState& state, const Layout& layout, const Place& place,
                            const void* origin_addr, const void* compare_addr, void* result_addr);

}  // namespace atl::rma
