#include "runtime/topo/graph.h"

#include <algorithm>
#include <array>

#include "runtime/topo/topology_communicators.h"

namespace atl::topo {
namespace {

Error check_index(int nnodes, const int* indx) {
  for (int i = 0; i < nnodes; ++i) {
    const int before = i == 0 ? 0 : indx[i - 1];
    if (indx[i] >= before) continue;
    return make_error(MPI_ERR_ARG, "indx[%d]=%d is less than %d, the one before", i, indx[i],
                      before);
  }
  return {};
}

Error check_edges(int nnodes, int count, const int* edges) {
  if (edges == nullptr && count > 0) {
    return make_error(MPI_ERR_ARG, "edges is a null pointer, but there are %d", count);
  }
  for (int i = 0; i < count; ++i) {
    if (edges[i] >= 0 && edges[i] < nnodes) continue;
    return make_error(MPI_ERR_ARG, "edges[%d]=%d is none of the %d nodes", i, edges[i], nnodes);
  }
  return {};
}

Error check_graph(const Communicator& comm, int nnodes, const int* indx, const int* edges) {
  if (Error error = check_parent(comm)) return error;
  if (nnodes < 0) return make_error(MPI_ERR_ARG, "nnodes=%d is negative", nnodes);
  if (nnodes > comm.size()) {
    return make_error(MPI_ERR_ARG, "nnodes=%d is more than the %d ranks of %s", nnodes, comm.size(),
                      comm.label().c_str());
  }
  if (Error error = check_index(nnodes, indx)) return error;
  return nnodes == 0 ? Error() : check_edges(nnodes, indx[nnodes - 1], edges);
}

Graph graph_of(int nnodes, const int* indx, const int* edges) {
  const int count = nnodes == 0 ? 0 : indx[nnodes - 1];
  return {{indx, indx + nnodes}, {edges, edges + count}};
}

std::uint64_t digest_of(const Graph& graph, bool reorder) {
  return digest(std::array<int, 2>{MPI_GRAPH, reorder}, digest(graph.edges, digest(graph.index)));
}

Mapping mapping_of(const Communicator& comm, const Graph& graph, bool reorder) {
  const auto nodes = static_cast<int>(graph.index.size());
  const Locations locations = locations_for(comm, nodes, reorder);
  if (locations.empty()) return unchanged(nodes);
  std::vector<Edge> edges;
  for (int node = 0; node < nodes; ++node) {
    for (const int neighbour : graph.neighbours(node)) edges.push_back({node, neighbour, 1});
  }
  return map_graph(nodes, edges, locations);
}

}  // namespace

Error graph_create(Communicator& comm_old, int nnodes, const int* indx, const int* edges,
                   int reorder, MPI_Comm* comm_graph) {
  if (Error error = check_graph(comm_old, nnodes, indx, edges)) return error;
  Graph graph = graph_of(nnodes, indx, edges);
  if (Error error = agree(comm_old, digest_of(graph, reorder != 0))) return error;
  const Mapping mapping = mapping_of(comm_old, graph, reorder != 0);
  return make(comm_old, mapping, std::move(graph), comm_graph);
}

Error graph_map(Communicator& comm, int nnodes, const int* indx, const int* edges, int* newrank) {
  if (Error error = check_graph(comm, nnodes, indx, edges)) return error;
  *newrank = node_of(mapping_of(comm, graph_of(nnodes, indx, edges), true), comm.rank());
  return {};
}

Error graphdims_get(Communicator& comm, int* nnodes, int* nedges) {
  const Graph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  *nnodes = static_cast<int>(graph->index.size());
  *nedges = static_cast<int>(graph->edges.size());
  return {};
}

Error graph_get(Communicator& comm, int maxindex, int maxedges, int* indx, int* edges) {
  const Graph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  if (Error error = check_room("maxindex", maxindex, graph->index.size(), "nodes")) return error;
  if (Error error = check_room("maxedges", maxedges, graph->edges.size(), "edges")) return error;
  std::ranges::copy(graph->index, indx);
  std::ranges::copy(graph->edges, edges);
  return {};
}

Error graph_neighbors_count(Communicator& comm, int rank, int* nneighbors) {
  const Graph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  *nneighbors = static_cast<int>(graph->neighbours(rank).size());
  return {};
}

Error graph_neighbors(Communicator& comm, int rank, int maxneighbors, int* neighbors) {
  const Graph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  const std::span<const int> found = graph->neighbours(rank);
  if (Error error = check_room("maxneighbors", maxneighbors, found.size(), "neighbours")) {
    return error;
  }
  std::ranges::copy(found, neighbors);
  return {};
}

}  // namespace atl::topo
