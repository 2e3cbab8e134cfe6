// Graph topologies (8.5.3, 8.5.5, 8.5.8), with and without reordering.
#include <algorithm>
#include <vector>

#include "test/topo/grid.h"

namespace {

using Ints = std::vector<int>;
using Lists = std::vector<Ints>;  // neighbours of each node

struct Graph {
  const char* name;
  Lists neighbours;
};

std::vector<Graph> graphs() {
  const int size = check::size;
  Graph ring{"ring", Lists(size)}, star{"star", Lists(size)}, loops{"loops", Lists(size)};
  Graph alone{"no edges", Lists(size)}, full{"everybody", Lists(size)}, far{"halves", Lists(size)};
  for (int i = 0; i < size; ++i) {
    ring.neighbours[i] = {(i + size - 1) % size, (i + 1) % size};
    loops.neighbours[i] = {i, i, 0};  // loops, and edges more than once
    if (i != 0) {
      star.neighbours[0].push_back(i);
      star.neighbours[i].push_back(0);
    }
    for (int j = 0; j < size; ++j) full.neighbours[i].push_back(j);
    far.neighbours[i] = {(i + size / 2) % size};
  }
  // Fewer nodes than ranks, and edges in one direction only.
  Graph path{"path", Lists(size / 2)};
  for (int i = 0; i + 1 < size / 2; ++i) path.neighbours[i] = {i + 1};
  return {ring, star, loops, alone, full, far, path};
}

struct Arrays {
  Ints index, edges;

  explicit Arrays(const Graph& graph) {
    for (const Ints& list : graph.neighbours) {
      edges.insert(edges.end(), list.begin(), list.end());
      index.push_back(int(edges.size()));
    }
    edges.reserve(1);  // an address, where there are none
    index.reserve(1);
  }
};

void inquiries(MPI_Comm comm, const Graph& graph, const Arrays& arrays) {
  CHECK_EQ(topo::kind_of(comm), MPI_GRAPH);
  int nodes = -1, count = -1;
  MPI_Graphdims_get(comm, &nodes, &count);
  CHECK_EQ(nodes, int(arrays.index.size()));
  CHECK_EQ(count, int(arrays.edges.size()));
  Ints index(nodes + 1, -1), edges(count + 1, -1);
  MPI_Graph_get(comm, nodes, count, index.data(), edges.data());
  CHECK_EQ(index.back(), -1);
  CHECK_EQ(edges.back(), -1);
  CHECK(std::equal(arrays.index.begin(), arrays.index.end(), index.begin()));
  CHECK(std::equal(arrays.edges.begin(), arrays.edges.end(), edges.begin()));
  for (int node = 0; node < nodes; ++node) {
    int degree = -1;
    MPI_Graph_neighbors_count(comm, node, &degree);
    CHECK_EQ(degree, int(graph.neighbours[node].size()));
    Ints neighbours(degree + 1, -1);
    MPI_Graph_neighbors(comm, node, degree, neighbours.data());
    CHECK_EQ(neighbours.back(), -1);
    neighbours.pop_back();
    CHECK(neighbours == graph.neighbours[node]);
  }
}

// A message along each edge arrives where the graph says.
void messages(MPI_Comm comm, const Graph& graph) {
  const int rank = topo::rank_in(comm);
  std::vector<MPI_Request> sends;
  for (int neighbour : graph.neighbours[rank]) {
    sends.emplace_back();
    MPI_Isend(&rank, 1, MPI_INT, neighbour, 8, comm, &sends.back());
  }
  for (int node = 0; node < int(graph.neighbours.size()); ++node) {
    const auto& list = graph.neighbours[node];
    for (auto left = std::ranges::count(list, rank); left > 0; --left) {
      int in = -1;
      MPI_Recv(&in, 1, MPI_INT, node, 8, comm, MPI_STATUS_IGNORE);
      CHECK_EQ(in, node);
    }
  }
  MPI_Waitall(int(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

void one(const Graph& graph, int reorder) {
  const auto nodes = int(graph.neighbours.size());
  check::set_case("%s of %d nodes, reorder %d", graph.name, nodes, reorder);
  const Arrays arrays(graph);
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Graph_create(MPI_COMM_WORLD, nodes, arrays.index.data(), arrays.edges.data(),
                            reorder, &comm),
           MPI_SUCCESS);
  const int rank = comm == MPI_COMM_NULL ? MPI_UNDEFINED : topo::rank_in(comm);
  if (!reorder) CHECK_EQ(rank, check::rank < nodes ? check::rank : int(MPI_UNDEFINED));
  if (reorder && nodes > 0 && check::on_atoll()) {
    int newrank = -99;
    MPI_Graph_map(MPI_COMM_WORLD, nodes, arrays.index.data(), arrays.edges.data(), &newrank);
    CHECK_EQ(newrank, rank);
  }
  if (comm == MPI_COMM_NULL) return;
  topo::check_different_processes(comm, nodes);
  inquiries(comm, graph, arrays);
  messages(comm, graph);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  inquiries(copy, graph, arrays);
  MPI_Comm_free(&copy);
}

// 8.5.3: without nodes nobody gets a communicator.
void empty() {
  check::set_case("no nodes");
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Graph_create(MPI_COMM_WORLD, 0, nullptr, nullptr, 0, &comm), MPI_SUCCESS);
  CHECK(comm == MPI_COMM_NULL);
}

// Example 8.3 of MPI 5.0.
void example() {
  if (check::size < 4) return;
  for (int reorder : {0, 1}) one({"the standard's example", {{1, 3}, {0}, {3}, {0, 2}}}, reorder);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (const Graph& graph : graphs()) {
    for (int reorder : {0, 1}) one(graph, reorder);
  }
  if (check::on_atoll()) empty();
  example();
  CHECK(check::rank >= 0);
  return check::finish();
}
