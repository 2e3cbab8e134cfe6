// Distributed graph topologies (8.5.4, 8.5.5, 8.5.8): edges named by their ends
// or by anybody, weights, reordering.
#include <algorithm>
#include <utility>
#include <vector>

#include "test/pattern.h"
#include "test/topo/grid.h"

namespace {

using Ints = std::vector<int>;

struct Edge {
  int from, to, weight;
};
using Edges = std::vector<Edge>;

struct Neighbours {
  Ints ranks, weights;

  void add(int rank, int weight) {
    ranks.push_back(rank);
    weights.push_back(weight);
  }
  int count() const { return int(ranks.size()); }
};

Neighbours into(int node, const Edges& edges) {
  Neighbours found;
  for (const Edge& edge : edges) {
    if (edge.to == node) found.add(edge.from, edge.weight);
  }
  return found;
}

Neighbours out_of(int node, const Edges& edges) {
  Neighbours found;
  for (const Edge& edge : edges) {
    if (edge.from == node) found.add(edge.to, edge.weight);
  }
  return found;
}

// The same on all ranks: some edges more than once, some loops.
Edges random_edges(std::uint64_t seed, int count) {
  check::Random random(seed);
  Edges edges;
  for (int i = 0; i < count; ++i) {
    const auto from = int(random.below(check::size)), to = int(random.below(check::size));
    edges.push_back({from, to, int(random.below(100))});
  }
  return edges;
}

// An address for arrays that may be empty.
int* address(Ints& values) {
  static int none = 0;
  return values.empty() ? &none : values.data();
}

int* weights_of(Ints& weights, bool weighted) {
  if (!weighted) return MPI_UNWEIGHTED;
  return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
}

void expect_same(const Neighbours& found, const Neighbours& expected, bool weighted,
                 bool in_order) {
  CHECK_EQ(found.count(), expected.count());
  const auto pairs = [&](const Neighbours& list) {
    std::vector<std::pair<int, int>> all;
    for (int i = 0; i < list.count(); ++i) {
      all.emplace_back(list.ranks[i], weighted ? list.weights[i] : 0);
    }
    if (!in_order) std::ranges::sort(all);
    return all;
  };
  CHECK(pairs(found) == pairs(expected));
}

// Less room than there are neighbours gets the first of them.
void short_arrays(MPI_Comm comm, const Neighbours& sources, const Neighbours& targets) {
  if (sources.count() < 2 || targets.count() < 2 || !check::on_atoll()) return;
  Ints in(2, -1), out(2, -1);
  MPI_Dist_graph_neighbors(comm, 1, in.data(), MPI_UNWEIGHTED, 1, out.data(), MPI_UNWEIGHTED);
  CHECK_EQ(in[0], sources.ranks[0]);
  CHECK_EQ(out[0], targets.ranks[0]);
  CHECK(in[1] == -1 && out[1] == -1);
}

// `in_order`: the neighbours come in the order in which they were given.
void inquiries(MPI_Comm comm, const Edges& edges, bool weighted, bool in_order) {
  CHECK_EQ(topo::kind_of(comm), MPI_DIST_GRAPH);
  const int node = topo::rank_in(comm);
  int indegree = -1, outdegree = -1, has_weights = -1;
  MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &has_weights);
  CHECK_EQ(has_weights, int(weighted));
  CHECK_EQ(indegree, into(node, edges).count());
  CHECK_EQ(outdegree, out_of(node, edges).count());
  Neighbours sources{Ints(indegree, -1), Ints(indegree, -1)};
  Neighbours targets{Ints(outdegree, -1), Ints(outdegree, -1)};
  CHECK_EQ(MPI_Dist_graph_neighbors(comm, indegree, address(sources.ranks),
                                    weights_of(sources.weights, weighted), outdegree,
                                    address(targets.ranks), weights_of(targets.weights, weighted)),
           MPI_SUCCESS);
  expect_same(sources, into(node, edges), weighted, in_order);
  expect_same(targets, out_of(node, edges), weighted, in_order);
  short_arrays(comm, sources, targets);
}

// A message along each edge.
void messages(MPI_Comm comm, const Edges& edges) {
  const int node = topo::rank_in(comm);
  std::vector<MPI_Request> sends;
  for (int rank : out_of(node, edges).ranks) {
    sends.emplace_back();
    MPI_Isend(&node, 1, MPI_INT, rank, 8, comm, &sends.back());
  }
  for (int rank : into(node, edges).ranks) {
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, rank, 8, comm, MPI_STATUS_IGNORE);
    CHECK_EQ(in, rank);
  }
  MPI_Waitall(int(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

void expect(MPI_Comm comm, const Edges& edges, bool weighted, bool in_order, int reorder) {
  topo::check_different_processes(comm, check::size);
  if (!reorder) CHECK_EQ(topo::rank_in(comm), check::rank);
  inquiries(comm, edges, weighted, in_order);
  messages(comm, edges);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  inquiries(copy, edges, weighted, in_order);
  MPI_Comm_free(&copy);
}

// Each process names its own edges; they stay in their order.
void adjacent(const Edges& edges, bool weighted, int reorder) {
  check::set_case("adjacent, %zu edges, weighted %d, reorder %d", edges.size(), weighted, reorder);
  Neighbours in = into(check::rank, edges), out = out_of(check::rank, edges);
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in.count(), address(in.ranks),
                                          weights_of(in.weights, weighted), out.count(),
                                          address(out.ranks), weights_of(out.weights, weighted),
                                          MPI_INFO_NULL, reorder, &comm),
           MPI_SUCCESS);
  expect(comm, edges, weighted, true, reorder);
}

// Who names an edge: rank 0 all, each rank a share, or the last rank all.
bool names(int how, std::size_t edge) {
  if (how == 1) return int(edge) % check::size == check::rank;
  return check::rank == (how == 0 ? 0 : check::size - 1);
}

void general(const Edges& edges, bool weighted, int reorder, int how) {
  check::set_case("named by %d, %zu edges, weighted %d, reorder %d", how, edges.size(), weighted,
                  reorder);
  Ints sources, degrees, destinations, weights;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!names(how, i)) continue;
    if (sources.empty() || sources.back() != edges[i].from) {
      sources.push_back(edges[i].from);
      degrees.push_back(0);
    }
    ++degrees.back();
    destinations.push_back(edges[i].to);
    weights.push_back(edges[i].weight);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_Dist_graph_create(MPI_COMM_WORLD, int(sources.size()), address(sources),
                                 address(degrees), address(destinations),
                                 weights_of(weights, weighted), MPI_INFO_NULL, reorder, &comm),
           MPI_SUCCESS);
  expect(comm, edges, weighted, false, reorder);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int size = check::size;
  Edges ring;
  for (int i = 0; i < size; ++i) ring.push_back({i, (i + 1) % size, i + 1});
  for (const Edges& edges : {Edges{}, ring, random_edges(1, 2 * size), random_edges(2, 9 * size)}) {
    for (bool weighted : {false, true}) {
      for (int reorder : {0, 1}) {
        adjacent(edges, weighted, reorder);
        for (int how : {0, 1, 2}) general(edges, weighted, reorder, how);
      }
    }
  }
  return check::finish();
}
