// The table of algorithms (selection_table.cc) as text, and what programs ask of it.
#pragma once

#include <string>

#include "runtime/core/fault.h"

namespace atl::coll {

// Each collective with its algorithms, the first that fits before the others, and when
// that is.
std::string algorithm_table();

// Error when ATOLL_ALGORITHMS names what is not in the table.
Fault check_wanted_algorithms();

}  // namespace atl::coll
