// Cartesian topologies (MPI 5.0, 8.5.1, 8.5.5 to 8.5.8).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/topo/dims.h"
#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

Error cart_create(Communicator& comm_old, int ndims, const int* dims, const int* periods,
                  int reorder, MPI_Comm* comm_cart);
Error cart_map(Communicator& comm, int ndims, const int* dims, const int* periods, int* newrank);
Error cart_sub(Communicator& comm, const int* remain_dims, MPI_Comm* newcomm);

Error cartdim_get(Communicator& comm, int* ndims);
Error cart_get(Communicator& comm, int maxdims, int* dims, int* periods, int* coords);
Error cart_rank(Communicator& comm, const int* coords, int* rank);
Error cart_coords(Communicator& comm, int rank, int maxdims, int* coords);
Error cart_shift(Communicator& comm, int direction, int disp, int* rank_source, int* rank_dest);

}  // namespace atl::topo
