// Datatypes as text, for teaching and for debugging.
#pragma once

#include <cstddef>
#include <string>

#include "datatype/datatype.h"

namespace atl::datatype {

// How the type was made, a constructor a line, inner types indented.
std::string tree_text(const Datatype& type);

// The type map: up to `most` entries, and how many there are.
std::string map_text(const Datatype& type, std::size_t most = 20);

// What it was compiled to, a node a line.
std::string program_text(const Program& program);

}  // namespace atl::datatype
