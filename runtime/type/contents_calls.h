// How a datatype was constructed (MPI 5.0, 5.1.13). The large-count forms accept all types, the
// plain forms only types constructed without large counts.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/error.h"

namespace atl::type {

using datatype::Datatype;

Error get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_datatypes, int* combiner);
Error get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner);

Error get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_datatypes, int* array_of_integers, MPI_Aint* array_of_addresses,
                   MPI_Datatype* array_of_datatypes);
Error get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_large_counts, MPI_Count max_datatypes, int* array_of_integers,
                   MPI_Aint* array_of_addresses, MPI_Count* array_of_large_counts,
                   MPI_Datatype* array_of_datatypes);

}  // namespace atl::type
