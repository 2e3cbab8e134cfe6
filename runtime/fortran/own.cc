// Entry points without a C function.
#include "runtime/fortran/arguments.h"
#include "runtime/fortran/entry_point.h"

namespace atl::fortran {

// MPI_Sizeof: the number of bytes of a variable of any type, or of an array element (MPI 5.0,
// 19.1.8).
FORTRAN void FORTRAN_NAME(sizeof_ts_)(const Descriptor* x, MPI_Fint* size, MPI_Fint* ierror) {
  *size = static_cast<MPI_Fint>(x->elem_len);
  done(ierror, MPI_SUCCESS);
}

// Statuses have the same layout in mpi_f08, the module mpi and mpif.h (19.3.5).
FORTRAN void FORTRAN_NAME(status_f2f08_)(const MPI_Fint* f_status, MPI_Fint* f08_status,
                                         MPI_Fint* ierror) {
  for (int i = 0; i < MPI_F_STATUS_SIZE; ++i) f08_status[i] = f_status[i];
  done(ierror, MPI_SUCCESS);
}
FORTRAN_ALIAS(status_f082f_, status_f2f08_)

// Keeps a compiler from moving accesses to the buffer across the call (19.1.16).
FORTRAN void FORTRAN_NAME(f_sync_reg_)(void*) {}
FORTRAN void FORTRAN_NAME(f_sync_reg_ts_)(const Descriptor*) {}

#ifndef ATL_PROFILING
// == and /= between the handles of mpi_f08.
#define ATL_COMPARISONS(kind)                                                                      \
  FORTRAN MPI_Fint mpi_##kind##_eq_f08_(const MPI_Fint* a, const MPI_Fint* b) { return *a == *b; } \
  FORTRAN MPI_Fint mpi_##kind##_ne_f08_(const MPI_Fint* a, const MPI_Fint* b) { return *a != *b; }

ATL_COMPARISONS(comm)
ATL_COMPARISONS(datatype)
ATL_COMPARISONS(errhandler)
ATL_COMPARISONS(file)
ATL_COMPARISONS(group)
ATL_COMPARISONS(info)
ATL_COMPARISONS(message)
ATL_COMPARISONS(op)
ATL_COMPARISONS(request)
ATL_COMPARISONS(session)
ATL_COMPARISONS(win)
#endif

}  // namespace atl::fortran
