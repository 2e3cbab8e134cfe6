// Commit, duplicate, free (MPI 5.0, 5.1.9 and 5.1.10), and names of datatypes
// (7.8).
#pragma once

#include <mpi.h>

#include "runtime/core/error.h"
#include "runtime/type/type_handles.h"

namespace atl::type {

using datatype::Datatype;

Error commit(MPI_Datatype* datatype);
Error dup(TypeObject& oldtype, MPI_Datatype* newtype);
Error free(MPI_Datatype* datatype);

Error set_name(TypeObject& datatype, const char* type_name);
Error get_name(const Datatype* datatype, char* type_name, int* resultlen);

}  // namespace atl::type
