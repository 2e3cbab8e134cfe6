// The partners of a process in the neighbourhood collectives (MPI 5.0, 8.6).
#pragma once

#include <vector>

namespace atl::topo {

struct Grid;
struct Graph;
struct DistGraph;

struct Neighbours {
  struct Partner {
    int rank;
    int block;  // index of its block in the buffer
  };

  Neighbours(const Grid& grid, int rank);
  Neighbours(const Graph& graph, int rank);
  Neighbours(const DistGraph& graph, int rank);

  int indegree;  // blocks of a buffer, including those for MPI_PROC_NULL
  int outdegree;

  // Without MPI_PROC_NULL, in the order in which messages are begun. Several messages to one rank
  // are sent in the order in which that rank posts their receives.
  std::vector<Partner> sources;
  std::vector<Partner> destinations;

  // Whether each message has a matching receive, which 8.6 requires of graphs made by
  // MPI_Graph_create.
  bool mutual = true;
};

}  // namespace atl::topo
