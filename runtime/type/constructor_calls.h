// The constructors of derived datatypes (MPI 5.0, 5.1.2 to 5.1.4, 5.1.9). `form` tells whether the
// large-count form was called, which MPI_Type_get_contents must know.
#pragma once

#include <mpi.h>

#include "datatype/constructors.h"
#include "runtime/core/error.h"
#include "runtime/type/type_handles.h"

namespace atl::type {

using datatype::Datatype;
using datatype::Form;

Error contiguous(MPI_Count count, const Datatype& oldtype, MPI_Datatype* newtype, Form form);
Error vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, const Datatype& oldtype,
             MPI_Datatype* newtype, Form form);
Error create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                     const Datatype& oldtype, MPI_Datatype* newtype, Form form);
Error create_resized(const Datatype& oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype,
                     Form form);

// Number is the element type of arrays: int, or MPI_Count in the large-count form. (MPI_Aint and
// MPI_Count are the same type here.)
template <class Number>
Error indexed(MPI_Count count, const Number* array_of_blocklengths,
              const Number* array_of_displacements, const Datatype& oldtype, MPI_Datatype* newtype,
              Form form);
template <class Number>
Error create_hindexed(MPI_Count count, const Number* array_of_blocklengths,
                      const MPI_Count* array_of_displacements, const Datatype& oldtype,
                      MPI_Datatype* newtype, Form form);
template <class Number>
Error create_indexed_block(MPI_Count count, MPI_Count blocklength,
                           const Number* array_of_displacements, const Datatype& oldtype,
                           MPI_Datatype* newtype, Form form);
Error create_hindexed_block(MPI_Count count, MPI_Count blocklength,
                            const MPI_Count* array_of_displacements, const Datatype& oldtype,
                            MPI_Datatype* newtype, Form form);
template <class Number>
Error create_struct(MPI_Count count, const Number* array_of_blocklengths,
                    const MPI_Count* array_of_displacements, const MPI_Datatype* array_of_types,
                    MPI_Datatype* newtype, Form form);
template <class Number>
Error create_subarray(int ndims, const Number* array_of_sizes, const Number* array_of_subsizes,
                      const Number* array_of_starts, int order, const Datatype& oldtype,
                      MPI_Datatype* newtype, Form form);
template <class Number>
Error create_darray(int size, int rank, int ndims, const Number* array_of_gsizes,
                    const int* array_of_distribs, const int* array_of_dargs,
                    const int* array_of_psizes, int order, const Datatype& oldtype,
                    MPI_Datatype* newtype, Form form);

// Gives the new type a handle, or returns the error of its construction.
Error hand_out(datatype::Made made, MPI_Datatype* newtype);

}  // namespace atl::type
