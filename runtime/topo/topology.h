// What a communicator with a virtual topology has besides (MPI 5.0, chapter 8).
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/topo/grid.h"
#include "runtime/topo/neighbours.h"

namespace atl::topo {

// MPI_Graph_create: all neighbours of all nodes.
struct Graph {
  std::vector<int> index;  // of node i: where its neighbours end in `edges`
  std::vector<int> edges;

  std::span<const int> neighbours(int node) const {
    const auto begin =
        static_cast<std::size_t>(node == 0 ? 0 : index[static_cast<std::size_t>(node) - 1]);
    const auto end = static_cast<std::size_t>(index[static_cast<std::size_t>(node)]);
    return std::span(edges).subspan(begin, end - begin);
  }
};

// One direction of a process's edges.
struct Adjacency {
  std::vector<int> ranks;
  std::vector<int> weights;  // empty when there are none
};

// MPI_Dist_graph_create: the neighbours of this process.
struct DistGraph {
  Adjacency in;
  Adjacency out;
  bool weighted = false;
};

struct Topology {
  using Kind = std::variant<Grid, Graph, DistGraph>;

  // Of the process with that rank.
  Topology(Kind kind, int rank);

  Kind kind;
  Neighbours neighbours;
};

// The topology of that kind, or a fault that says that `comm` has none.
template <class Kind>
Fault find(const Communicator& comm, const Kind*& found);

extern template Fault find(const Communicator&, const Grid*&);
extern template Fault find(const Communicator&, const Graph*&);
extern template Fault find(const Communicator&, const DistGraph*&);

Fault topo_test(Communicator& comm, int* status);

// `place` of an array for `needed` values with room for `room`.
Fault check_room(const char* name, int room, std::size_t needed, const char* what);

}  // namespace atl::topo
