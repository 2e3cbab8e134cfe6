#include "runtime/topo/neighbours.h"

#include <mpi.h>

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/topo/virtual_topology.h"

namespace atl::topo {
namespace {

void append(std::vector<Neighbours::Partner>& partners, int rank, int block) {
  if (rank != MPI_PROC_NULL) partners.push_back({rank, block});
}

std::vector<Neighbours::Partner> in_order(std::span<const int> ranks) {
  std::vector<Neighbours::Partner> partners;
  for (const int rank : ranks) append(partners, rank, static_cast<int>(partners.size()));
  return partners;
}

// Whether there are as many edges from i to k as from k to i, for all i and k.
bool symmetric(const Graph& graph) {
  std::vector<std::pair<int, int>> edges;
  std::vector<std::pair<int, int>> mirrored;
  for (int node = 0; node < static_cast<int>(graph.index.size()); ++node) {
    for (const int neighbour : graph.neighbours(node)) {
      edges.emplace_back(node, neighbour);
      mirrored.emplace_back(neighbour, node);
    }
  }
  std::ranges::sort(edges);
  std::ranges::sort(mirrored);
  return edges == mirrored;
}

}  // namespace

// The blocks of each dimension: first the previous rank, then the next. A message to the next rank
// is received there from the previous rank, so the send to the next rank is begun first. This
// matters where a dimension has one or two cells and both neighbours are the same rank.
Neighbours::Neighbours(const Grid& grid, int rank)
    : indegree(2 * static_cast<int>(grid.dimensions())), outdegree(indegree) {
  for (int before = 0; before < indegree; before += 2) {
    const int behind = before + 1;
    const auto [previous, next] = grid.shift(rank, static_cast<std::size_t>(before / 2), 1);
    append(sources, previous, before);
    append(sources, next, behind);
    append(destinations, next, behind);
    append(destinations, previous, before);
  }
}

Neighbours::Neighbours(const Graph& graph, int rank)
    : indegree(static_cast<int>(graph.neighbours(rank).size())),
      outdegree(indegree),
      sources(in_order(graph.neighbours(rank))),
      destinations(sources),
      mutual(symmetric(graph)) {}

Neighbours::Neighbours(const DistGraph& graph, int)
    : indegree(static_cast<int>(graph.in.ranks.size())),
      outdegree(static_cast<int>(graph.out.ranks.size())),
      sources(in_order(graph.in.ranks)),
      destinations(in_order(graph.out.ranks)) {}

}  // namespace atl::topo
