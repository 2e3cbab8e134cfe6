// Which rank becomes which node of a topology, when the program leaves that open
// (`reorder`): neighbours in the topology go to near cores. docs/reorder.md says
// how. Every rank computes the same from the same data: nothing is exchanged.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/topo/grid.h"
#include "runtime/topo/places.h"

namespace atl::topo {

// The rank that becomes a node, by node.
using Mapping = std::vector<int>;

struct Edge {
  int from;
  int to;
  int weight;  // how much is sent; not negative
};

// Every rank becomes the node of its number.
Mapping unchanged(int nodes);

// The sum over all edges of weight times distance.
std::int64_t cost(const std::vector<Edge>& edges, const Mapping& mapping, const Places& places);

// The edges of a grid, each once.
std::vector<Edge> edges_of(const Grid& grid);

// There are as many places as nodes. Both leave everything as it is unless that
// makes the cost smaller.
Mapping map_grid(const Grid& grid, const Places& places);
Mapping map_graph(int nodes, const std::vector<Edge>& edges, const Places& places);

}  // namespace atl::topo
