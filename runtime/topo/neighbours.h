// With whom a process exchanges in the neighbourhood collectives (MPI 5.0, 8.6).
#pragma once

#include <vector>

namespace atl::topo {

struct Grid;
struct Graph;
struct DistGraph;

struct Neighbours {
  struct Partner {
    int rank;
    int block;  // its place in the buffer
  };

  Neighbours(const Grid& grid, int rank);
  Neighbours(const Graph& graph, int rank);
  Neighbours(const DistGraph& graph, int rank);

  int indegree;  // blocks of a buffer, those for MPI_PROC_NULL included
  int outdegree;

  // Without MPI_PROC_NULL, in the order in which messages are begun: what goes to
  // one rank more than once arrives in the order in which that rank awaits it.
  std::vector<Partner> sources;
  std::vector<Partner> destinations;

  // Whether each message that is begun is awaited, as 8.6 demands of
  // MPI_Graph_create.
  bool mutual = true;
};

}  // namespace atl::topo
