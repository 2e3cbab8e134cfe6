#include "runtime/topo/adjacency.h"

#include <mpi.h>

namespace atl::topo {
namespace {

void append(const Adjacency& adjacency, std::vector<int>& numbers) {
  numbers.push_back(static_cast<int>(adjacency.ranks.size()));
  numbers.insert(numbers.end(), adjacency.ranks.begin(), adjacency.ranks.end());
  numbers.insert(numbers.end(), adjacency.weights.begin(), adjacency.weights.end());
}

std::vector<int> take(std::size_t count, std::span<const int>& numbers) {
  const std::span<const int> taken = numbers.first(count);
  numbers = numbers.subspan(count);
  return {taken.begin(), taken.end()};
}

Adjacency take_adjacency(bool weighted, std::span<const int>& numbers) {
  const auto count = static_cast<std::size_t>(take(1, numbers)[0]);
  Adjacency adjacency;
  adjacency.ranks = take(count, numbers);
  if (weighted) adjacency.weights = take(count, numbers);
  return adjacency;
}

}  // namespace

bool WeightArray::given() const { return weights != MPI_UNWEIGHTED; }

Error check_ranks(const RankArray& array, const Communicator& comm) {
  for (int i = 0; i < array.count; ++i) {
    const int rank = array.ranks[i];
    if (rank >= 0 && rank < comm.size()) continue;
    return make_error(MPI_ERR_RANK, "%s[%d]=%d is outside %s of size %d", array.name, i, rank,
                      comm.described().c_str(), comm.size());
  }
  return {};
}

Error check_weights(const WeightArray& array) {
  if (array.count == 0 || !array.given()) return {};
  if (array.weights == nullptr || array.weights == MPI_WEIGHTS_EMPTY) {
    return make_error(MPI_ERR_ARG, "%s is %s, but there are %d edges", array.name,
                      array.weights == nullptr ? "a null pointer" : "MPI_WEIGHTS_EMPTY",
                      array.count);
  }
  for (int i = 0; i < array.count; ++i) {
    if (array.weights[i] >= 0) continue;
    return make_error(MPI_ERR_ARG, "%s[%d]=%d is negative", array.name, i, array.weights[i]);
  }
  return {};
}

Adjacency adjacency_of(const RankArray& ranks, const WeightArray& weights) {
  Adjacency adjacency;
  adjacency.ranks.assign(ranks.ranks, ranks.ranks + ranks.count);
  if (weights.given() && ranks.count != 0) {
    adjacency.weights.assign(weights.weights, weights.weights + ranks.count);
  }
  return adjacency;
}

std::vector<int> to_numbers(const DistGraph& graph) {
  std::vector<int> numbers = {graph.weighted};
  append(graph.in, numbers);
  append(graph.out, numbers);
  return numbers;
}

DistGraph from_numbers(std::span<const int> numbers) {
  DistGraph graph;
  graph.weighted = take(1, numbers)[0] != 0;
  graph.in = take_adjacency(graph.weighted, numbers);
  graph.out = take_adjacency(graph.weighted, numbers);
  return graph;
}

std::vector<int> to_numbers(const EdgeList& list) {
  std::vector<int> numbers = {list.weighted};
  for (const Edge& edge : list.edges) {
    numbers.insert(numbers.end(), {edge.from, edge.to, edge.weight});
  }
  return numbers;
}

EdgeList edges_from_numbers(std::span<const int> numbers) {
  EdgeList list;
  list.weighted = take(1, numbers)[0] != 0;
  for (std::size_t i = 0; i + 3 <= numbers.size(); i += 3) {
    list.edges.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  }
  return list;
}

}  // namespace atl::topo
