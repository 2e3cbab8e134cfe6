// Commit, duplicate, free (MPI 5.0, 5.1.9 and 5.1.10), and names of datatypes
// (7.8).
#pragma once

#include <mpi.h>

#include "runtime/core/fault.h"
#include "runtime/type/handles.h"

namespace atl::type {

using datatype::Datatype;

Fault commit(MPI_Datatype* datatype);
Fault dup(TypeObject& oldtype, MPI_Datatype* newtype);
Fault free(MPI_Datatype* datatype);

Fault set_name(TypeObject& datatype, const char* type_name);
Fault get_name(const Datatype* datatype, char* type_name, int* resultlen);

}  // namespace atl::type
