#include "runtime/topo/dist_graph.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "runtime/topo/adjacency.h"
#include "runtime/topo/statements.h"
#include "runtime/topo/topology_communicators.h"

namespace atl::topo {
namespace {

Error check_degree(const char* name, int degree) {
  if (degree >= 0) return {};
  return make_error(MPI_ERR_ARG, "%s=%d is negative", name, degree);
}

Error check_both_weighted(const WeightArray& one, const WeightArray& other) {
  if (one.given() == other.given()) return {};
  return make_error(MPI_ERR_ARG, "%s is MPI_UNWEIGHTED, but %s is not",
                    one.given() ? other.name : one.name, one.given() ? one.name : other.name);
}

// Checks that all ranks have called the same of the two functions with the same `reorder`.
Error agree_on(bool reorder, bool adjacent, Communicator& comm) {
  return agree(comm, digest(std::array<int, 3>{MPI_DIST_GRAPH, reorder, adjacent}));
}

void append_edges(int from, const Adjacency& out, std::vector<Edge>& edges) {
  for (std::size_t i = 0; i < out.ranks.size(); ++i) {
    edges.push_back({from, out.ranks[i], out.weights.empty() ? 1 : out.weights[i]});
  }
}

// The rank that becomes node i needs the edges that rank i has given.
Error reorder_adjacent(Communicator& comm, const Locations& locations, Mapping& mapping,
                       DistGraph& graph) {
  Statements statements;
  if (Error error = statements.gather(to_numbers(graph), comm)) return error;
  std::vector<Edge> edges;
  for (std::size_t rank = 0; rank < statements.ranks(); ++rank) {
    append_edges(static_cast<int>(rank), from_numbers(statements.of(rank)).out, edges);
  }
  mapping = map_graph(comm.size(), edges, locations);
  graph = from_numbers(statements.of(static_cast<std::size_t>(node_of(mapping, comm.rank()))));
  return {};
}

// --- MPI_Dist_graph_create ---

// The sum of the degrees: the number of edges.
Error add_degrees(int n, const int* degrees, int& count) {
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) {
    if (degrees[i] < 0) return make_error(MPI_ERR_ARG, "degrees[%d]=%d is negative", i, degrees[i]);
    sum += degrees[i];
  }
  if (sum > std::numeric_limits<int>::max()) {
    return make_error(MPI_ERR_ARG, "degrees make %lld edges, more than an int can count",
                      static_cast<long long>(sum));
  }
  count = static_cast<int>(sum);
  return {};
}

EdgeList edges_of(int n, const int* sources, const int* degrees, const int* destinations,
                  const WeightArray& weights) {
  EdgeList list;
  list.weighted = weights.given();
  int next = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < degrees[i]; ++j, ++next) {
      list.edges.push_back(
          {sources[i], destinations[next], list.weighted ? weights.weights[next] : 1});
    }
  }
  return list;
}

// Gathers the whole graph. Only ranks that give edges determine whether there are weights.
Error gather_edges(EdgeList& list, Communicator& comm) {
  Statements statements;
  if (Error error = statements.gather(to_numbers(list), comm)) return error;
  std::vector<Edge> all;
  int first = -1;
  for (std::size_t rank = 0; rank < statements.ranks(); ++rank) {
    const EdgeList one = edges_from_numbers(statements.of(rank));
    if (one.edges.empty()) continue;
    if (first >= 0 && one.weighted != list.weighted) {
      return make_error(MPI_ERR_NOT_SAME, "weights: rank %d has them, rank %d has MPI_UNWEIGHTED",
                        one.weighted ? static_cast<int>(rank) : first,
                        one.weighted ? first : static_cast<int>(rank));
    }
    if (first < 0) first = static_cast<int>(rank);
    list.weighted = one.weighted;
    all.insert(all.end(), one.edges.begin(), one.edges.end());
  }
  list.edges = std::move(all);
  return {};
}

DistGraph neighbours_of(int node, const EdgeList& list) {
  DistGraph graph;
  graph.weighted = list.weighted;
  const auto add = [&](Adjacency& to, int rank, int weight) {
    to.ranks.push_back(rank);
    if (list.weighted) to.weights.push_back(weight);
  };
  for (const Edge& edge : list.edges) {
    if (edge.to == node) add(graph.in, edge.from, edge.weight);
    if (edge.from == node) add(graph.out, edge.to, edge.weight);
  }
  return graph;
}

// Copies at most `room` neighbours (MPI 5.0, 8.5.5).
void give_out(const Adjacency& adjacency, int room, int* ranks, int* weights) {
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(adjacency.ranks.size(), static_cast<std::size_t>(room)));
  std::copy_n(adjacency.ranks.begin(), count, ranks);
  const bool wanted =
      weights != nullptr && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
  if (wanted && !adjacency.weights.empty()) std::copy_n(adjacency.weights.begin(), count, weights);
}

}  // namespace

Error dist_graph_create_adjacent(Communicator& comm_old, int indegree, const int* sources,
                                 const int* sourceweights, int outdegree, const int* destinations,
                                 const int* destweights, const Info&, int reorder,
                                 MPI_Comm* comm_dist_graph) {
  const RankArray in{"sources", sources, indegree};
  const RankArray out{"destinations", destinations, outdegree};
  const WeightArray in_weights{"sourceweights", sourceweights, indegree};
  const WeightArray out_weights{"destweights", destweights, outdegree};
  if (Error error = check_parent(comm_old)) return error;
  if (Error error = check_degree("indegree", indegree)) return error;
  if (Error error = check_degree("outdegree", outdegree)) return error;
  if (Error error = check_ranks(in, comm_old)) return error;
  if (Error error = check_ranks(out, comm_old)) return error;
  if (Error error = check_both_weighted(in_weights, out_weights)) return error;
  if (Error error = check_weights(in_weights)) return error;
  if (Error error = check_weights(out_weights)) return error;

  if (Error error = agree_on(reorder != 0, true, comm_old)) return error;
  DistGraph graph{adjacency_of(in, in_weights), adjacency_of(out, out_weights), in_weights.given()};
  Mapping mapping = unchanged(comm_old.size());
  const Locations locations = locations_for(comm_old, comm_old.size(), reorder != 0);
  if (!locations.empty()) {
    if (Error error = reorder_adjacent(comm_old, locations, mapping, graph)) return error;
  }
  return make(comm_old, mapping, std::move(graph), comm_dist_graph);
}

Error dist_graph_create(Communicator& comm_old, int n, const int* sources, const int* degrees,
                        const int* destinations, const int* weights, const Info&, int reorder,
                        MPI_Comm* comm_dist_graph) {
  if (Error error = check_parent(comm_old)) return error;
  int count = 0;
  if (Error error = add_degrees(n, degrees, count)) return error;
  const WeightArray given{"weights", weights, count};
  if (destinations == nullptr && count > 0) {
    return make_error(MPI_ERR_ARG, "destinations is a null pointer, but there are %d edges", count);
  }
  if (Error error = check_ranks({"sources", sources, n}, comm_old)) return error;
  if (Error error = check_ranks({"destinations", destinations, count}, comm_old)) return error;
  if (Error error = check_weights(given)) return error;

  if (Error error = agree_on(reorder != 0, false, comm_old)) return error;
  EdgeList list = edges_of(n, sources, degrees, destinations, given);
  if (Error error = gather_edges(list, comm_old)) return error;
  const Locations locations = locations_for(comm_old, comm_old.size(), reorder != 0);
  const Mapping mapping = locations.empty() ? unchanged(comm_old.size())
                                            : map_graph(comm_old.size(), list.edges, locations);
  return make(comm_old, mapping, neighbours_of(node_of(mapping, comm_old.rank()), list),
              comm_dist_graph);
}

Error dist_graph_neighbors_count(Communicator& comm, int* indegree, int* outdegree, int* weighted) {
  const DistGraph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  *indegree = static_cast<int>(graph->in.ranks.size());
  *outdegree = static_cast<int>(graph->out.ranks.size());
  *weighted = graph->weighted;
  return {};
}

Error dist_graph_neighbors(Communicator& comm, int maxindegree, int* sources, int* sourceweights,
                           int maxoutdegree, int* destinations, int* destweights) {
  const DistGraph* graph = nullptr;
  if (Error error = find(comm, graph)) return error;
  give_out(graph->in, maxindegree, sources, sourceweights);
  give_out(graph->out, maxoutdegree, destinations, destweights);
  return {};
}

}  // namespace atl::topo
