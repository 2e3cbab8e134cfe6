#include "runtime/fortran/sentinels.h"

// For C: the addresses that Fortran passes to ignore statuses (MPI 5.0, 19.3.5).
FORTRAN MPI_Fint* MPI_F_STATUS_IGNORE;
MPI_Fint* MPI_F_STATUS_IGNORE = atl::fortran::mpi_atoll_sentinels_.status_ignore;
FORTRAN MPI_Fint* MPI_F_STATUSES_IGNORE;
MPI_Fint* MPI_F_STATUSES_IGNORE = atl::fortran::mpi_atoll_sentinels_.statuses_ignore;
FORTRAN MPI_F08_status* MPI_F08_STATUS_IGNORE;
MPI_F08_status* MPI_F08_STATUS_IGNORE =
    reinterpret_cast<MPI_F08_status*>(atl::fortran::mpi_atoll_sentinels_.status_ignore);
FORTRAN MPI_F08_status* MPI_F08_STATUSES_IGNORE;
MPI_F08_status* MPI_F08_STATUSES_IGNORE =
    reinterpret_cast<MPI_F08_status*>(atl::fortran::mpi_atoll_sentinels_.statuses_ignore);

namespace atl::fortran {

Sentinels mpi_atoll_sentinels_;

// COMMON /MPI_ATOLL_STRINGS/: MPI_ARGV_NULL and MPI_ARGVS_NULL.
FORTRAN char mpi_atoll_strings_[2];
char mpi_atoll_strings_[2];

static_assert(sizeof(MPI_Status) == sizeof(Sentinels::status_ignore));
static_assert(alignof(MPI_Status) == alignof(MPI_Fint));

void* sentinel_in_c(void* argument) {
  const Sentinels& fortran = mpi_atoll_sentinels_;
  if (argument == &fortran.bottom) return MPI_BOTTOM;
  if (argument == &fortran.in_place) return MPI_IN_PLACE;
  if (argument == &fortran.buffer_automatic) return MPI_BUFFER_AUTOMATIC;
  if (argument == fortran.unweighted) return MPI_UNWEIGHTED;
  if (argument == fortran.weights_empty) return MPI_WEIGHTS_EMPTY;
  return argument;
}

}  // namespace atl::fortran
