// Macros of the Fortran entry points. The generated files are compiled twice: with ATL_PROFILING
// for the names of the profiling interface (MPI 5.0, 15.2), where pmpi_send_ calls PMPI_Send, and
// without, where mpi_send_ calls MPI_Send, which a profiling library may have replaced.
#pragma once

#include <mpi.h>

#include <cstddef>

#define FORTRAN extern "C" __attribute__((visibility("default")))

#ifdef ATL_PROFILING
#define FORTRAN_NAME(name) pmpi_##name
#define CALL_C(name) PMPI_##name
#else
#define FORTRAN_NAME(name) mpi_##name
#define CALL_C(name) MPI_##name
#endif

#define ATL_TEXT_OF(name) #name
#define ATL_TEXT(name) ATL_TEXT_OF(name)

// Another name of an entry point. Nothrow, since the compiler may have deduced that for `target`.
#define FORTRAN_ALIAS(name, target)                         \
  FORTRAN decltype(FORTRAN_NAME(target)) FORTRAN_NAME(name) \
      __attribute__((alias(ATL_TEXT(FORTRAN_NAME(target))), nothrow));

namespace atl::fortran {

// ierror is optional in mpi_f08: null when omitted.
inline void done(MPI_Fint* ierror, int error) {
  if (ierror != nullptr) *ierror = error;
}

}  // namespace atl::fortran
