// Datatypes as text, for teaching and for debugging.
#pragma once

#include <cstddef>
#include <string>

#include "datatype/datatype.h"

namespace atl::datatype {

// How the type was made: one constructor per line, inner types indented.
std::string tree_text(const Datatype& type);

// The type map: up to `most` entries, and their total number.
std::string map_text(const Datatype& type, std::size_t most = 20);

// The compiled program, one node per line.
std::string program_text(const Program& program);

}  // namespace atl::datatype
