// Sizes and bounds of datatypes, and addresses (MPI 5.0, 5.1.5 to 5.1.8).
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/fault.h"

namespace atl::type {

using datatype::Datatype;

Fault size(const Datatype& datatype, MPI_Count* size);
Fault get_extent(const Datatype& datatype, MPI_Count* lb, MPI_Count* extent);
Fault get_true_extent(const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent);
Fault get_address(const void* location, MPI_Aint* address);
MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2);

// Of MPI-1.
Fault extent(const Datatype& datatype, MPI_Aint* extent);
Fault lb(const Datatype& datatype, MPI_Aint* displacement);
Fault ub(const Datatype& datatype, MPI_Aint* displacement);

// The entries of the type map when each old type counts as one entry; MPI_LB and
// MPI_UB are none. 1 for predefined types.
Fault count(const Datatype& datatype, MPI_Count* count);

}  // namespace atl::type
