// Cartesian topologies (MPI 5.0, 8.5.1, 8.5.5 to 8.5.8).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/topo/dims.h"
#include "runtime/topo/topology.h"

namespace atl::topo {

Fault cart_create(Communicator& comm_old, int ndims, const int* dims, const int* periods,
                  int reorder, MPI_Comm* comm_cart);
Fault cart_map(Communicator& comm, int ndims, const int* dims, const int* periods, int* newrank);
Fault cart_sub(Communicator& comm, const int* remain_dims, MPI_Comm* newcomm);

Fault cartdim_get(Communicator& comm, int* ndims);
Fault cart_get(Communicator& comm, int maxdims, int* dims, int* periods, int* coords);
Fault cart_rank(Communicator& comm, const int* coords, int* rank);
Fault cart_coords(Communicator& comm, int rank, int maxdims, int* coords);
Fault cart_shift(Communicator& comm, int direction, int disp, int* rank_source, int* rank_dest);

}  // namespace atl::topo
