// The arguments of MPI_Dist_graph_create and its like, checked, and as the ranks
// tell them to each other.
#pragma once

#include <span>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/topo/reorder.h"
#include "runtime/topo/topology.h"

namespace atl::topo {

// As a name and a value for messages.
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

Fault check_ranks(const RankArray& array, const Communicator& comm);
Fault check_weights(const WeightArray& array);

Adjacency adjacency_of(const RankArray& ranks, const WeightArray& weights);

// As numbers, and back.
std::vector<int> to_numbers(const DistGraph& graph);
DistGraph from_numbers(std::span<const int> numbers);

// Edges, as some rank has named them.
struct EdgeList {
  std::vector<Edge> edges;
  bool weighted = false;
};
std::vector<int> to_numbers(const EdgeList& list);
EdgeList edges_from_numbers(std::span<const int> numbers);

}  // namespace atl::topo
