// MPI_Dims_create (MPI 5.0, 8.5.2).
#pragma once

#include <vector>

#include "runtime/core/fault.h"

namespace atl::topo {

// `factors` numbers whose product is `number`, not increasing, as close to each
// other as there are any: the difference of the largest and the smallest is the
// least possible; of those with the same difference, the one whose numbers, read
// from the first, are smaller.
std::vector<int> balanced_factors(int number, int factors);

// Zeros in `dims` are filled in.
Fault dims_create(int nnodes, int ndims, int* dims);

}  // namespace atl::topo
