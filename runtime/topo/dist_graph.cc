#include "runtime/topo/dist_graph.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "runtime/topo/adjacency.h"
#include "runtime/topo/gather.h"
#include "runtime/topo/make.h"

namespace atl::topo {
namespace {

Fault check_degree(const char* name, int degree) {
  if (degree >= 0) return {};
  return fail(MPI_ERR_ARG, "%s=%d is negative", name, degree);
}

Fault check_both_weighted(const WeightArray& one, const WeightArray& other) {
  if (one.given() == other.given()) return {};
  return fail(MPI_ERR_ARG, "%s is MPI_UNWEIGHTED, but %s is not",
              one.given() ? other.name : one.name, one.given() ? one.name : other.name);
}

// What all ranks give: whether to reorder, and to which of the two functions.
Fault agree_on(bool reorder, bool adjacent, Communicator& comm) {
  return agree(comm, digest(std::array<int, 3>{MPI_DIST_GRAPH, reorder, adjacent}));
}

void append_edges(int from, const Adjacency& out, std::vector<Edge>& edges) {
  for (std::size_t i = 0; i < out.ranks.size(); ++i) {
    edges.push_back({from, out.ranks[i], out.weights.empty() ? 1 : out.weights[i]});
  }
}

// Whoever becomes node i needs what rank i has said.
Fault reorder_adjacent(Communicator& comm, const Places& places, Mapping& mapping,
                       DistGraph& graph) {
  Statements statements;
  if (Fault fault = statements.gather(to_numbers(graph), comm)) return fault;
  std::vector<Edge> edges;
  for (std::size_t rank = 0; rank < statements.ranks(); ++rank) {
    append_edges(static_cast<int>(rank), from_numbers(statements.of(rank)).out, edges);
  }
  mapping = map_graph(comm.size(), edges, places);
  graph = from_numbers(statements.of(static_cast<std::size_t>(node_of(mapping, comm.rank()))));
  return {};
}

// --- MPI_Dist_graph_create ---

// How many edges there are.
Fault add_degrees(int n, const int* degrees, int& count) {
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) {
    if (degrees[i] < 0) return fail(MPI_ERR_ARG, "degrees[%d]=%d is negative", i, degrees[i]);
    sum += degrees[i];
  }
  if (sum > std::numeric_limits<int>::max()) {
    return fail(MPI_ERR_ARG, "degrees make %lld edges, more than an int can count",
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

// The whole graph. Ranks that name no edge do not say whether there are weights.
Fault gather_edges(EdgeList& list, Communicator& comm) {
  Statements statements;
  if (Fault fault = statements.gather(to_numbers(list), comm)) return fault;
  std::vector<Edge> all;
  int first = -1;
  for (std::size_t rank = 0; rank < statements.ranks(); ++rank) {
    const EdgeList one = edges_from_numbers(statements.of(rank));
    if (one.edges.empty()) continue;
    if (first >= 0 && one.weighted != list.weighted) {
      return fail(MPI_ERR_NOT_SAME, "weights: rank %d has them, rank %d has MPI_UNWEIGHTED",
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

// As much as there is room for (MPI 5.0, 8.5.5).
void give_out(const Adjacency& adjacency, int room, int* ranks, int* weights) {
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(adjacency.ranks.size(), static_cast<std::size_t>(room)));
  std::copy_n(adjacency.ranks.begin(), count, ranks);
  const bool wanted =
      weights != nullptr && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
  if (wanted && !adjacency.weights.empty()) std::copy_n(adjacency.weights.begin(), count, weights);
}

}  // namespace

Fault dist_graph_create_adjacent(Communicator& comm_old, int indegree, const int* sources,
                                 const int* sourceweights, int outdegree, const int* destinations,
                                 const int* destweights, const Info&, int reorder,
                                 MPI_Comm* comm_dist_graph) {
  const RankArray in{"sources", sources, indegree};
  const RankArray out{"destinations", destinations, outdegree};
  const WeightArray in_weights{"sourceweights", sourceweights, indegree};
  const WeightArray out_weights{"destweights", destweights, outdegree};
  if (Fault fault = check_parent(comm_old)) return fault;
  if (Fault fault = check_degree("indegree", indegree)) return fault;
  if (Fault fault = check_degree("outdegree", outdegree)) return fault;
  if (Fault fault = check_ranks(in, comm_old)) return fault;
  if (Fault fault = check_ranks(out, comm_old)) return fault;
  if (Fault fault = check_both_weighted(in_weights, out_weights)) return fault;
  if (Fault fault = check_weights(in_weights)) return fault;
  if (Fault fault = check_weights(out_weights)) return fault;

  if (Fault fault = agree_on(reorder != 0, true, comm_old)) return fault;
  DistGraph graph{adjacency_of(in, in_weights), adjacency_of(out, out_weights), in_weights.given()};
  Mapping mapping = unchanged(comm_old.size());
  const Places places = places_for(comm_old, comm_old.size(), reorder != 0);
  if (!places.empty()) {
    if (Fault fault = reorder_adjacent(comm_old, places, mapping, graph)) return fault;
  }
  return make(comm_old, mapping, std::move(graph), comm_dist_graph);
}

Fault dist_graph_create(Communicator& comm_old, int n, const int* sources, const int* degrees,
                        const int* destinations, const int* weights, const Info&, int reorder,
                        MPI_Comm* comm_dist_graph) {
  if (Fault fault = check_parent(comm_old)) return fault;
  int count = 0;
  if (Fault fault = add_degrees(n, degrees, count)) return fault;
  const WeightArray given{"weights", weights, count};
  if (destinations == nullptr && count > 0) {
    return fail(MPI_ERR_ARG, "destinations is a null pointer, but there are %d edges", count);
  }
  if (Fault fault = check_ranks({"sources", sources, n}, comm_old)) return fault;
  if (Fault fault = check_ranks({"destinations", destinations, count}, comm_old)) return fault;
  if (Fault fault = check_weights(given)) return fault;

  if (Fault fault = agree_on(reorder != 0, false, comm_old)) return fault;
  EdgeList list = edges_of(n, sources, degrees, destinations, given);
  if (Fault fault = gather_edges(list, comm_old)) return fault;
  const Places places = places_for(comm_old, comm_old.size(), reorder != 0);
  const Mapping mapping =
      places.empty() ? unchanged(comm_old.size()) : map_graph(comm_old.size(), list.edges, places);
  return make(comm_old, mapping, neighbours_of(node_of(mapping, comm_old.rank()), list),
              comm_dist_graph);
}

Fault dist_graph_neighbors_count(Communicator& comm, int* indegree, int* outdegree, int* weighted) {
  const DistGraph* graph = nullptr;
  if (Fault fault = find(comm, graph)) return fault;
  *indegree = static_cast<int>(graph->in.ranks.size());
  *outdegree = static_cast<int>(graph->out.ranks.size());
  *weighted = graph->weighted;
  return {};
}

Fault dist_graph_neighbors(Communicator& comm, int maxindegree, int* sources, int* sourceweights,
                           int maxoutdegree, int* destinations, int* destweights) {
  const DistGraph* graph = nullptr;
  if (Fault fault = find(comm, graph)) return fault;
  give_out(graph->in, maxindegree, sources, sourceweights);
  give_out(graph->out, maxoutdegree, destinations, destweights);
  return {};
}

}  // namespace atl::topo
