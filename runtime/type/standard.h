// Datatypes that the standard finds or makes for a description: by size (MPI 5.0,
// 19.1.8), by decimal precision and range (19.1.7), and pairs of a value and an
// index (6.9.4). All of them count as predefined.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/fault.h"

namespace atl::type {

using datatype::Datatype;

Fault match_size(int typeclass, int size, MPI_Datatype* datatype);

// The same arguments give the same handle.
Fault create_f90_real(int p, int r, MPI_Datatype* newtype);
Fault create_f90_complex(int p, int r, MPI_Datatype* newtype);
Fault create_f90_integer(int r, MPI_Datatype* newtype);

// MPI_DATATYPE_NULL where there is no such pair.
Fault get_value_index(const Datatype& value_type, const Datatype& index_type,
                      MPI_Datatype* pair_type);

}  // namespace atl::type
