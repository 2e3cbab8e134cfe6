// Invariants of every type: its properties and its copies agree with its type map as expanded by
// the oracle.
#pragma once

#include "datatype/datatype.h"
#include "datatype/testing/type_map.h"

namespace atl::datatype::testing {

// Each compares a type with its type map. Functions that copy data require a committed type.
bool has_right_bounds(const Datatype& type, const TypeMap& map);
bool packs(const Datatype& type, const TypeMap& map);
bool unpacks(const Datatype& type, const TypeMap& map);
bool counts_values(const Datatype& type, const TypeMap& map);
bool signs(const Datatype& type, const TypeMap& map);
bool converts(const Datatype& type, const TypeMap& map);  // to external32 and back

// Whether other types with the same type map have the same program.
bool is_canonical(const Datatype& type, const TypeMap& map);

// Whether elements contain some byte twice, which is erroneous for a receive.
bool overlaps(const TypeMap& map, Count count);

}  // namespace atl::datatype::testing
