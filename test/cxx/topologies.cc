// Virtual topologies in C++.
#include <mpicxx.h>

#include <vector>

#include "test/check.h"

namespace {

void cartesian() {
  check::set_case("cartesian");
  int dims[2] = {0, 0};
  MPI::Compute_dims(check::size, 2, dims);
  const bool periods[2] = {true, false};
  MPI::Cartcomm cart = MPI::COMM_WORLD.Create_cart(2, dims, periods, false);
  CHECK_EQ(cart.Get_topology(), static_cast<int>(MPI::CART));
  CHECK_EQ(cart.Get_dim(), 2);
  int got[2], coords[2], own[2];
  bool wraps[2] = {false, true};
  cart.Get_topo(2, got, wraps, coords);
  CHECK(got[0] == dims[0] && got[1] == dims[1]);
  CHECK(wraps[0] && !wraps[1]);
  cart.Get_coords(cart.Get_rank(), 2, own);
  CHECK(own[0] == coords[0] && own[1] == coords[1]);
  CHECK_EQ(cart.Get_cart_rank(coords), cart.Get_rank());
  int source = -1, dest = -1;
  cart.Shift(1, 1, source, dest);
  CHECK((dest == MPI::PROC_NULL) == (coords[1] == dims[1] - 1));
  CHECK_EQ(cart.Map(2, dims, periods), check::rank);
  const bool remains[2] = {false, true};
  MPI::Cartcomm row = cart.Sub(remains);
  CHECK_EQ(row.Get_size(), dims[1]);
  CHECK_EQ(row.Get_dim(), 1);
  MPI::Cartcomm& clone = row.Clone();
  CHECK_EQ(clone.Get_dim(), 1);
  clone.Free();
  delete &clone;
  row.Free();
  MPI::Intracomm& base = cart;
  MPI::Comm& copy = base.Clone();  // it stays what it is
  CHECK(dynamic_cast<MPI::Cartcomm*>(&copy) != nullptr);
  copy.Free();
  delete &copy;
  cart.Free();
}

void graph() {
  check::set_case("graph");
  std::vector<int> index, edges;
  for (int i = 0; i < check::size; ++i) {  // a ring, one way
    edges.push_back((i + 1) % check::size);
    index.push_back(i + 1);
  }
  MPI::Graphcomm graph =
      MPI::COMM_WORLD.Create_graph(check::size, index.data(), edges.data(), false);
  CHECK_EQ(graph.Get_topology(), static_cast<int>(MPI::GRAPH));
  int nodes = 0, edge_count = 0;
  graph.Get_dims(&nodes, &edge_count);
  CHECK(nodes == check::size && edge_count == check::size);
  CHECK_EQ(graph.Get_neighbors_count(check::rank), 1);
  int neighbor = -1;
  graph.Get_neighbors(check::rank, 1, &neighbor);
  CHECK_EQ(neighbor, (check::rank + 1) % check::size);
  graph.Free();
}

void distributed_graph() {
  check::set_case("distributed graph");
  const int left = (check::rank + check::size - 1) % check::size;
  const int right = (check::rank + 1) % check::size;
  const int weights[1] = {3};
  MPI::Distgraphcomm weighted = MPI::COMM_WORLD.Dist_graph_create_adjacent(
      1, &left, weights, 1, &right, weights, MPI::INFO_NULL, false);
  MPI::Distgraphcomm plain =
      MPI::COMM_WORLD.Dist_graph_create_adjacent(1, &left, 1, &right, MPI::INFO_NULL, false);
  int in = 0, out = 0;
  bool has_weights = false;
  weighted.Get_dist_neighbors_count(in, out, has_weights);
  CHECK(in == 1 && out == 1 && has_weights);
  int sources[1], source_weights[1], destinations[1], destination_weights[1];
  weighted.Get_dist_neighbors(1, sources, source_weights, 1, destinations, destination_weights);
  CHECK(sources[0] == left && destinations[0] == right && source_weights[0] == 3);
  plain.Get_dist_neighbors_count(in, out, has_weights);
  CHECK(!has_weights);
  weighted.Free();
  plain.Free();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  cartesian();
  graph();
  distributed_graph();
  return check::finish();
}
