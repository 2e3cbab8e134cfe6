// The data representation "external32" (MPI 5.0, 14.5.2): big-endian, with sizes
// that are the same on every machine.
#pragma once

#include <cstddef>

#include "datatype/datatype.h"

namespace atl::datatype {

// Bytes of one element.
std::size_t external_size(const Datatype& type);

// Write and read `count` consecutive elements. Packing returns false when a value does not fit into
// a narrower representation (a long has 4 bytes there) and was truncated.
bool pack_external(const Datatype& type, const void* from, Count count, std::byte* to);
void unpack_external(const Datatype& type, void* to, Count count, const std::byte* from);

}  // namespace atl::datatype
