// The arguments of MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent: checks, and the form
// in which ranks exchange them.
#pragma once

#include <span>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/topo/reorder.h"
#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

// An array argument with its name for error messages.
struct RankArray {
  const char* name;
  const int* ranks;
  int count;
};
struct WeightArray {
  const char* name;
  const int* weights;  // or MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY
  int count;

  bool given() const;
};

Error check_ranks(const RankArray& array, const Communicator& comm);
Error check_weights(const WeightArray& array);

Adjacency adjacency_of(const RankArray& ranks, const WeightArray& weights);

// To a form that Statements exchanges, and back.
std::vector<int> to_numbers(const DistGraph& graph);
DistGraph from_numbers(std::span<const int> numbers);

// Edges that one rank has given, or all edges of the graph.
struct EdgeList {
  std::vector<Edge> edges;
  bool weighted = false;
};
std::vector<int> to_numbers(const EdgeList& list);
EdgeList edges_from_numbers(std::span<const int> numbers);

}  // namespace atl::topo
