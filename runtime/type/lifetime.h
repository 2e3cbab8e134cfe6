// Commit, duplicate, free (MPI 5.0, 5.1.9 and 5.1.10), names and attributes of
// datatypes (7.7.4, 7.8).
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
Fault get_name(const Datatype& datatype, char* type_name, int* resultlen);

Fault set_attr(TypeObject& datatype, Keyval<MPI_Datatype>& type_keyval, void* attribute_val);
Fault get_attr(TypeObject& datatype, const Keyval<MPI_Datatype>& type_keyval, void* attribute_val,
               int* flag);
Fault delete_attr(TypeObject& datatype, Keyval<MPI_Datatype>& type_keyval);

}  // namespace atl::type
