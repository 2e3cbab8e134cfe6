// The virtual topology of a communicator (MPI 5.0, chapter 8).
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
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

  // The topology as seen from the process with this rank.
  Topology(Kind kind, int rank);

  Kind kind;
  Neighbours neighbours;
};

// Of a communicator; MPI_Comm_dup shares it with the duplicate.
inline constexpr ExtensionSlot<const Topology> kTopology{Extension::topology};

// Null when `comm` has none.
inline const Topology* topology_of(const Communicator& comm) {
  return comm.extensions.get(kTopology);
}

// Finds the topology of this kind; error when `comm` has none.
template <class Kind>
Error find(const Communicator& comm, const Kind*& found);

extern template Error find(const Communicator&, const Grid*&);
extern template Error find(const Communicator&, const Graph*&);
extern template Error find(const Communicator&, const DistGraph*&);

Error topo_test(Communicator& comm, int* status);

// Error when the array argument `name` of length `room` is too short for `needed` values.
Error check_room(const char* name, int room, std::size_t needed, const char* what);

}  // namespace atl::topo
