// Sentinels, such as MPI_BOTTOM: in Fortran they are variables, recognized by their address (MPI
// 5.0, 2.5.4). mpif.h and both modules declare them in a common block, which the program and this
// library share under one name.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/fortran/entry_point.h"

namespace atl::fortran {

// COMMON /MPI_ATOLL_SENTINELS/, in the order of generator/fortran_header.py.
struct Sentinels {
  MPI_Fint bottom;
  MPI_Fint in_place;
  MPI_Fint buffer_automatic;
  MPI_Fint unweighted[1];
  MPI_Fint weights_empty[1];
  MPI_Fint errcodes_ignore[1];
  MPI_Fint status_ignore[MPI_F_STATUS_SIZE];
  MPI_Fint statuses_ignore[MPI_F_STATUS_SIZE];
};

FORTRAN Sentinels mpi_atoll_sentinels_;

inline bool is_sentinel(const void* argument) {
  const auto distance = reinterpret_cast<std::uintptr_t>(argument) -
                        reinterpret_cast<std::uintptr_t>(&mpi_atoll_sentinels_);
  return __builtin_expect(distance < sizeof(Sentinels), 0);
}

// The C value of a sentinel; the argument itself if it is not a sentinel.
void* sentinel_in_c(void* argument);

// A choice buffer.
inline void* address_in_c(void* buffer) {
  return is_sentinel(buffer) ? sentinel_in_c(buffer) : buffer;
}

// A status or an array of them: the layouts are the same in C and Fortran.
inline MPI_Status* status_in_c(MPI_Fint* status) {
  return is_sentinel(status) ? nullptr : reinterpret_cast<MPI_Status*>(status);
}

// The weights of a graph.
inline int* weights_in_c(MPI_Fint* weights) { return static_cast<int*>(address_in_c(weights)); }

}  // namespace atl::fortran
