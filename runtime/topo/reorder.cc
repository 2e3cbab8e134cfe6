#include "runtime/topo/reorder.h"

#include <mpi.h>

#include <algorithm>
#include <numeric>

#include "runtime/topo/reorder_detail.h"

namespace atl::topo {

Mapping unchanged(int nodes) {
  Mapping mapping(static_cast<std::size_t>(nodes));
  std::iota(mapping.begin(), mapping.end(), 0);
  return mapping;
}

std::int64_t cost(const std::vector<Edge>& edges, const Mapping& mapping,
                  const Locations& locations) {
  const auto place = [&](int node) -> const shm::Location& {
    return locations[static_cast<std::size_t>(mapping[static_cast<std::size_t>(node)])];
  };
  std::int64_t sum = 0;
  for (const Edge& edge : edges) {
    sum += std::int64_t{edge.weight} * distance(place(edge.from), place(edge.to));
  }
  return sum;
}

std::vector<Edge> edges_of(const Grid& grid) {
  std::vector<Edge> edges;
  const auto cells = static_cast<int>(grid.cells());
  for (int rank = 0; rank < cells; ++rank) {
    for (std::size_t i = 0; i < grid.dimensions(); ++i) {
      const int next = grid.shift(rank, i, 1).second;
      if (next != MPI_PROC_NULL && next != rank) edges.push_back({rank, next, 1});
    }
  }
  return edges;
}

namespace detail {

std::vector<int> ranks_by_location(const Locations& locations) {
  std::vector<int> ranks = unchanged(static_cast<int>(locations.size()));
  std::ranges::stable_sort(ranks, precedes, [&](int rank) -> const shm::Location& {
    return locations[static_cast<std::size_t>(rank)];
  });
  return ranks;
}

Mapping better(Mapping found, const std::vector<Edge>& edges, const Locations& locations) {
  Mapping before = unchanged(static_cast<int>(locations.size()));
  const bool worth = cost(edges, found, locations) < cost(edges, before, locations);
  return worth ? found : before;
}

}  // namespace detail
}  // namespace atl::topo
