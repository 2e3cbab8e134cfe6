// MPI_Dims_create (MPI 5.0, 8.5.2).
#pragma once

#include <vector>

#include "runtime/core/error.h"

namespace atl::topo {

// `factors` numbers with the product `number`, in non-increasing order, as close to each other as
// possible: the difference between the largest and the smallest is minimal. Among solutions with
// the same difference, the lexicographically smallest.
std::vector<int> balanced_factors(int number, int factors);

// Replaces the zeros in `dims`.
Error dims_create(int nnodes, int ndims, int* dims);

}  // namespace atl::topo
