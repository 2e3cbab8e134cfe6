// What holds for every type: what it says and does is what its type map, written
// out by the oracle, says.
#pragma once

#include "datatype/datatype.h"
#include "datatype/testing/type_map.h"

namespace atl::datatype::testing {

// Of a type and its type map; data functions ask for a committed type.
bool has_right_bounds(const Datatype& type, const TypeMap& map);
bool packs(const Datatype& type, const TypeMap& map);
bool unpacks(const Datatype& type, const TypeMap& map);
bool counts_values(const Datatype& type, const TypeMap& map);
bool signs(const Datatype& type, const TypeMap& map);
bool converts(const Datatype& type, const TypeMap& map);  // to external32 and back

// Whether other types with the same type map have the same program.
bool is_canonical(const Datatype& type, const TypeMap& map);

// Whether elements write some byte twice, which no receive may.
bool overlaps(const TypeMap& map, Count count);

}  // namespace atl::datatype::testing
