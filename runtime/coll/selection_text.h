// The table of algorithms (selection_table.cc) as text, and a check of ATOLL_ALGORITHMS against it.
#pragma once

#include <string>

#include "runtime/core/error.h"

namespace atl::coll {

// Each collective with its algorithms in the order in which they are tried, and their conditions.
std::string algorithm_table();

// Error when ATOLL_ALGORITHMS names a collective or algorithm that is not in the table.
Error check_wanted_algorithms();

}  // namespace atl::coll
