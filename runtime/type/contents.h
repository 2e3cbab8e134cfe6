// How a datatype was made (MPI 5.0, 5.1.13). The forms with large counts know all
// types, the plain ones those that were made without.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/fault.h"

namespace atl::type {

using datatype::Datatype;

Fault get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_datatypes, int* combiner);
Fault get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner);

Fault get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_datatypes, int* array_of_integers, MPI_Aint* array_of_addresses,
                   MPI_Datatype* array_of_datatypes);
Fault get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_large_counts, MPI_Count max_datatypes, int* array_of_integers,
                   MPI_Aint* array_of_addresses, MPI_Count* array_of_large_counts,
                   MPI_Datatype* array_of_datatypes);

}  // namespace atl::type
