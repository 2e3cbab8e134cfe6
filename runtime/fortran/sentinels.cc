#include "runtime/fortran/sentinels.h"

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
