// Datatypes that the standard finds or makes for a description: by size (MPI 5.0,
// 19.1.8), by decimal precision and range (19.1.7), and pairs of a value and an
// index (6.9.4). All of them count as predefined.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/error.h"

namespace atl::type {

using datatype::Datatype;

Error match_size(int typeclass, int size, MPI_Datatype* datatype);

// The same arguments give the same handle.
Error create_f90_real(int p, int r, MPI_Datatype* newtype);
Error create_f90_complex(int p, int r, MPI_Datatype* newtype);
Error create_f90_integer(int r, MPI_Datatype* newtype);

// MPI_DATATYPE_NULL where there is no such pair.
Error get_value_index(const Datatype& value_type, const Datatype& index_type,
                      MPI_Datatype* pair_type);

}  // namespace atl::type
