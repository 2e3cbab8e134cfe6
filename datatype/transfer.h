// Copies from one layout to another within one address space.
#pragma once

#include <cstddef>

#include "datatype/datatype.h"

namespace atl::datatype {

// Copies bytes [start, start + bytes) of the stream of the elements at `from` to the same bytes of
// the stream of the elements at `to`; both types are committed. If both types have gaps, the data
// passes through a buffer that stays in the first-level cache.
void transfer(const Datatype& to_type, void* to, const Datatype& from_type, const void* from,
              std::size_t start, std::size_t bytes);

}  // namespace atl::datatype
