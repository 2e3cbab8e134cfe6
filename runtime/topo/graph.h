// Graph topologies (MPI 5.0, 8.5.3, 8.5.5 and 8.5.8).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

Error graph_create(Communicator& comm_old, int nnodes, const int* indx, const int* edges,
                   int reorder, MPI_Comm* comm_graph);
Error graph_map(Communicator& comm, int nnodes, const int* indx, const int* edges, int* newrank);

Error graphdims_get(Communicator& comm, int* nnodes, int* nedges);
Error graph_get(Communicator& comm, int maxindex, int maxedges, int* indx, int* edges);
Error graph_neighbors_count(Communicator& comm, int rank, int* nneighbors);
Error graph_neighbors(Communicator& comm, int rank, int maxneighbors, int* neighbors);

}  // namespace atl::topo
