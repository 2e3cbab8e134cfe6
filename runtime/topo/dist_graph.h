// Distributed graph topologies (MPI 5.0, 8.5.4, 8.5.5 and 8.5.8).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"
#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

Error dist_graph_create(Communicator& comm_old, int n, const int* sources, const int* degrees,
                        const int* destinations, const int* weights, const Info& info, int reorder,
                        MPI_Comm* comm_dist_graph);
Error dist_graph_create_adjacent(Communicator& comm_old, int indegree, const int* sources,
                                 const int* sourceweights, int outdegree, const int* destinations,
                                 const int* destweights, const Info& info, int reorder,
                                 MPI_Comm* comm_dist_graph);

Error dist_graph_neighbors_count(Communicator& comm, int* indegree, int* outdegree, int* weighted);
Error dist_graph_neighbors(Communicator& comm, int maxindegree, int* sources, int* sourceweights,
                           int maxoutdegree, int* destinations, int* destweights);

}  // namespace atl::topo
