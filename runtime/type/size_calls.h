// Sizes and bounds of datatypes, and addresses (MPI 5.0, 5.1.5 to 5.1.8).
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/error.h"

namespace atl::type {

using datatype::Datatype;

Error size(const Datatype& datatype, MPI_Count* size);
Error get_extent(const Datatype& datatype, MPI_Count* lb, MPI_Count* extent);
Error get_true_extent(const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent);
Error get_address(const void* location, MPI_Aint* address);
MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2);

// Functions of MPI-1 that MPI 3.0 removed.
Error extent(const Datatype& datatype, MPI_Aint* extent);
Error lb(const Datatype& datatype, MPI_Aint* displacement);
Error ub(const Datatype& datatype, MPI_Aint* displacement);

// The number of entries of the type map if each old type counts as one entry, without MPI_LB and
// MPI_UB. 1 for predefined types.
Error count(const Datatype& datatype, MPI_Count* count);

}  // namespace atl::type
