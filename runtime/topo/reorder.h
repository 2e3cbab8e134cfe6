// Maps ranks to nodes of a topology when the program allows that (`reorder`), so that neighbours
// in the topology are on near cores. See docs/reorder.md. Every rank computes the same mapping from
// the same data without communication.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/topo/grid.h"
#include "runtime/topo/locations.h"

namespace atl::topo {

// The rank that becomes each node, indexed by node.
using Mapping = std::vector<int>;

struct Edge {
  int from;
  int to;
  int weight;  // amount of communication; not negative
};

// Rank i becomes node i.
Mapping unchanged(int nodes);

// The sum over all edges of weight times distance.
std::int64_t cost(const std::vector<Edge>& edges, const Mapping& mapping,
                  const Locations& locations);

// The edges of a grid, each once.
std::vector<Edge> edges_of(const Grid& grid);

// There must be as many locations as nodes. Both return unchanged() unless another mapping has a
// lower cost.
Mapping map_grid(const Grid& grid, const Locations& locations);
Mapping map_graph(int nodes, const std::vector<Edge>& edges, const Locations& locations);

}  // namespace atl::topo
