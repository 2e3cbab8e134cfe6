// Bad arguments to virtual topologies: nothing is made, and nobody waits.
#include <climits>
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;
using Ints = std::vector<int>;

Ints two_dims() { return {check::size, 1}; }

MPI_Comm cartesian() {
  MPI_Comm comm;
  const Ints dims = two_dims(), periods = {1, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, &comm);
  return comm;
}

void dims() {
  Ints dims = {0, 3};
  EXPECT_ERROR(MPI_ERR_DIMS, "nnodes", "7", MPI_Dims_create(7, 2, dims.data()));
  dims = {0, -2};
  EXPECT_ERROR(MPI_ERR_DIMS, "dims", "-2", MPI_Dims_create(4, 2, dims.data()));
  CHECK(dims == (Ints{0, -2}));
  EXPECT_ERROR(MPI_ERR_DIMS, "ndims", "-1", MPI_Dims_create(4, -1, dims.data()));
  EXPECT_ERROR(MPI_ERR_ARG, "nnodes", "0", MPI_Dims_create(0, 2, dims.data()));
  EXPECT_ERROR(MPI_ERR_ARG, "dims", "", MPI_Dims_create(4, 2, nullptr));
}

void cart_create() {
  Untouched<MPI_Comm> made;
  Untouched<int> newrank;
  const Ints periods = {0, 0}, dims = two_dims();
  const auto bad = [&](const Ints& wrong, int error_class, const std::string& argument,
                       const std::string& value) {
    EXPECT_ERROR(error_class, argument, value,
                 MPI_Cart_create(MPI_COMM_WORLD, 2, wrong.data(), periods.data(), 0, &made));
    EXPECT_ERROR(error_class, argument, value,
                 MPI_Cart_map(MPI_COMM_WORLD, 2, wrong.data(), periods.data(), &newrank));
  };
  bad({0, 1}, MPI_ERR_DIMS, "dims", "0");
  bad({1, -3}, MPI_ERR_DIMS, "dims", "-3");
  bad({check::size, 2}, MPI_ERR_DIMS, "dims", std::to_string(check::size));
  bad({65536, 65536}, MPI_ERR_DIMS, "dims", "65536x65536");
  EXPECT_ERROR(MPI_ERR_DIMS, "ndims", "-1",
               MPI_Cart_create(MPI_COMM_WORLD, -1, dims.data(), periods.data(), 0, &made));
  EXPECT_ERROR(MPI_ERR_DIMS, "ndims", "-1",
               MPI_Cart_map(MPI_COMM_WORLD, -1, dims.data(), periods.data(), &newrank));
  EXPECT_ERROR(MPI_ERR_COMM, "comm_old", "MPI_COMM_NULL",
               MPI_Cart_create(MPI_COMM_NULL, 2, dims.data(), periods.data(), 0, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "dims", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, nullptr, periods.data(), 0, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "periods", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), nullptr, 0, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "comm_cart", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, nullptr));
}

// Every inquiry, on a communicator with no topology or another.
void wrong_kind(MPI_Comm comm, bool cart, bool graph, bool dist_graph) {
  Untouched<int> a, b, c;
  Untouched<MPI_Comm> made;
  Ints room(64, 0);
  int* const array = room.data();
  if (!cart) {
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cartdim_get(comm, &a));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cart_get(comm, 8, array, array, array));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cart_rank(comm, array, &a));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cart_coords(comm, 0, 8, array));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cart_shift(comm, 0, 1, &a, &b));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Cart_sub(comm, array, &made));
  }
  if (!graph) {
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Graphdims_get(comm, &a, &b));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Graph_get(comm, 8, 8, array, array));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Graph_neighbors_count(comm, 0, &a));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Graph_neighbors(comm, 0, 8, array));
  }
  if (!dist_graph) {
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "", MPI_Dist_graph_neighbors_count(comm, &a, &b, &c));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, "comm", "",
                 MPI_Dist_graph_neighbors(comm, 8, array, array, 8, array, array));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Topo_test(comm, nullptr));
}

void cart_inquiries() {
  MPI_Comm comm = cartesian();
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  wrong_kind(comm, true, false, false);
  Untouched<int> number, other;
  Untouched<MPI_Comm> made;
  Ints room(4, -5);
  int* const array = room.data();
  for (int maxdims : {0, 1}) {
    const std::string value = std::to_string(maxdims);
    EXPECT_ERROR(MPI_ERR_ARG, "maxdims", value, MPI_Cart_get(comm, maxdims, array, array, array));
    EXPECT_ERROR(MPI_ERR_ARG, "maxdims", value, MPI_Cart_coords(comm, 0, maxdims, array));
  }
  for (int rank : {-1, check::size, INT_MAX}) {
    EXPECT_ERROR(MPI_ERR_RANK, "rank", std::to_string(rank), MPI_Cart_coords(comm, rank, 2, array));
  }
  CHECK(room == Ints(4, -5));
  for (int wrong : {-1, 1, INT_MIN}) {
    const int coords[] = {0, wrong};
    EXPECT_ERROR(MPI_ERR_ARG, "coords", std::to_string(wrong),
                 MPI_Cart_rank(comm, coords, &number));
  }
  for (int direction : {-1, 2, INT_MAX}) {
    EXPECT_ERROR(MPI_ERR_ARG, "direction", std::to_string(direction),
                 MPI_Cart_shift(comm, direction, 1, &number, &other));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "coords", "", MPI_Cart_rank(comm, nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "remain_dims", "", MPI_Cart_sub(comm, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "ndims", "", MPI_Cartdim_get(comm, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "rank_dest", "", MPI_Cart_shift(comm, 0, 1, &number, nullptr));
  MPI_Comm_free(&comm);
}

void graph_create() {
  Untouched<MPI_Comm> made;
  Untouched<int> newrank;
  const auto bad = [&](int nodes, const Ints& index, const Ints& edges, const std::string& argument,
                       const std::string& value) {
    EXPECT_ERROR(MPI_ERR_ARG, argument, value,
                 MPI_Graph_create(MPI_COMM_WORLD, nodes, index.data(), edges.data(), 0, &made));
    EXPECT_ERROR(MPI_ERR_ARG, argument, value,
                 MPI_Graph_map(MPI_COMM_WORLD, nodes, index.data(), edges.data(), &newrank));
  };
  const Ints many(std::size_t(check::size) + 1, 0);
  bad(check::size + 1, many, {0}, "nnodes", std::to_string(check::size + 1));
  bad(1, {-2}, {0}, "indx", "-2");
  if (check::size > 1) bad(2, {2, 1}, {0, 1}, "indx", "1");
  bad(1, {2}, {0, -1}, "edges", "-1");
  bad(1, {2}, {0, check::size}, "edges", std::to_string(check::size));
  const int index[] = {1};
  EXPECT_ERROR(MPI_ERR_ARG, "edges", "",
               MPI_Graph_create(MPI_COMM_WORLD, 1, index, nullptr, 0, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "indx", "",
               MPI_Graph_create(MPI_COMM_WORLD, 1, nullptr, nullptr, 0, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "nnodes", "-1",
               MPI_Graph_create(MPI_COMM_WORLD, -1, index, index, 0, &made));
}

void graph_inquiries() {
  MPI_Comm comm;
  Ints index(std::size_t(check::size), 2), edges = {0, 0};  // node 0 has two loops
  MPI_Graph_create(MPI_COMM_WORLD, check::size, index.data(), edges.data(), 0, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  wrong_kind(comm, false, true, false);
  Ints room(8, -5);
  Untouched<int> number;
  EXPECT_ERROR(MPI_ERR_ARG, "maxindex", "0", MPI_Graph_get(comm, 0, 2, room.data(), room.data()));
  EXPECT_ERROR(MPI_ERR_ARG, "maxedges", "1",
               MPI_Graph_get(comm, check::size, 1, room.data(), room.data()));
  EXPECT_ERROR(MPI_ERR_ARG, "maxneighbors", "1", MPI_Graph_neighbors(comm, 0, 1, room.data()));
  CHECK(room == Ints(8, -5));
  for (int rank : {-1, check::size}) {
    const std::string value = std::to_string(rank);
    EXPECT_ERROR(MPI_ERR_RANK, "rank", value, MPI_Graph_neighbors_count(comm, rank, &number));
    EXPECT_ERROR(MPI_ERR_RANK, "rank", value, MPI_Graph_neighbors(comm, rank, 8, room.data()));
  }
  MPI_Comm_free(&comm);
}

int adjacent(int indegree, const Ints& sources, const int* in_weights, int outdegree,
             const Ints& destinations, const int* out_weights, MPI_Comm* made, int reorder = 0) {
  return MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, indegree, sources.data(), in_weights,
                                        outdegree, destinations.data(), out_weights, MPI_INFO_NULL,
                                        reorder, made);
}

#define EXPECT_BAD_ADJACENT(error_class, argument, value, ...)                    \
  EXPECT_ERROR_OF("MPI_Dist_graph_create_adjacent", error_class, argument, value, \
                  adjacent(__VA_ARGS__))

void dist_graph_create_adjacent() {
  Untouched<MPI_Comm> made;
  int* const none = MPI_UNWEIGHTED;
  const int weights[] = {1, -4};
  const Ints self = {check::rank, check::rank}, wrong = {check::rank, check::size};
  const std::string size = std::to_string(check::size);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "indegree", "-1", -1, self, none, 0, self, none, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "outdegree", "-1", 0, self, none, -1, self, none, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_RANK, "sources", size, 2, wrong, none, 0, self, none, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_RANK, "destinations", size, 0, self, none, 2, wrong, none, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "sourceweights", "-4", 2, self, weights, 1, self, weights,
                      &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "destweights", "-4", 1, self, weights, 2, self, weights, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "sourceweights", "", 1, self, none, 1, self, weights, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "sourceweights", "MPI_WEIGHTS_EMPTY", 1, self, MPI_WEIGHTS_EMPTY,
                      1, self, weights, &made);
  EXPECT_BAD_ADJACENT(MPI_ERR_ARG, "destweights", "", 1, self, weights, 1, self, nullptr, &made);
}

int general(int n, const Ints& sources, const Ints& degrees, const Ints& destinations,
            const int* weights, MPI_Comm* made) {
  return MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources.data(), degrees.data(),
                               destinations.data(), weights, MPI_INFO_NULL, 0, made);
}

#define EXPECT_BAD_GENERAL(error_class, argument, value, ...) \
  EXPECT_ERROR_OF("MPI_Dist_graph_create", error_class, argument, value, general(__VA_ARGS__))

void dist_graph_create() {
  Untouched<MPI_Comm> made;
  const int negative[] = {-7};
  EXPECT_BAD_GENERAL(MPI_ERR_COUNT, "n", "-1", -1, {0}, {1}, {0}, MPI_UNWEIGHTED, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_RANK, "sources", "-1", 1, {-1}, {1}, {0}, MPI_UNWEIGHTED, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_RANK, "destinations", "-1", 1, {0}, {1}, {-1}, MPI_UNWEIGHTED, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_ARG, "degrees", "-2", 1, {0}, {-2}, {0}, MPI_UNWEIGHTED, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_ARG, "degrees", "4294967294", 2, {0, 0}, {INT_MAX, INT_MAX}, {0},
                     MPI_UNWEIGHTED, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_ARG, "weights", "-7", 1, {0}, {1}, {0}, negative, &made);
  EXPECT_BAD_GENERAL(MPI_ERR_ARG, "weights", "MPI_WEIGHTS_EMPTY", 1, {0}, {1}, {0},
                     MPI_WEIGHTS_EMPTY, &made);
}

// All ranks see that some have weights and others not, and none is left alone.
void different_weights() {
  if (check::size < 2 || !check::on_atoll()) return;
  Untouched<MPI_Comm> made;
  const int weights[] = {3};
  EXPECT_BAD_GENERAL(MPI_ERR_NOT_SAME, "weights", "", 1, {0}, {1}, {0},
                     check::rank == 0 ? weights : MPI_UNWEIGHTED, &made);
}

void dist_graph_inquiries() {
  MPI_Comm comm;
  CHECK_EQ(adjacent(0, {0}, MPI_UNWEIGHTED, 0, {0}, MPI_UNWEIGHTED, &comm), MPI_SUCCESS);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  wrong_kind(comm, false, false, true);
  int room = 0;
  Untouched<int> number;
  EXPECT_ERROR(MPI_ERR_COUNT, "maxindegree", "-1",
               MPI_Dist_graph_neighbors(comm, -1, &room, &room, 0, &room, &room));
  EXPECT_ERROR(MPI_ERR_ARG, "weighted", "",
               MPI_Dist_graph_neighbors_count(comm, &number, &number, nullptr));
  MPI_Comm_free(&comm);
}

// Arguments that must be the same on all ranks: all see it, and none is left alone.
void different_arguments() {
  if (check::size < 2 || !check::on_atoll()) return;
  Untouched<MPI_Comm> made;
  const bool first = check::rank == 0;
  const int line[] = {check::size, 1}, column[] = {1, check::size}, open[] = {0, 0};
  const int closed[] = {1, 0};
  EXPECT_ERROR(MPI_ERR_NOT_SAME, "comm_old", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, first ? line : column, open, 0, &made));
  EXPECT_ERROR(MPI_ERR_NOT_SAME, "comm_old", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, line, first ? open : closed, 0, &made));
  EXPECT_ERROR(MPI_ERR_NOT_SAME, "comm_old", "",
               MPI_Cart_create(MPI_COMM_WORLD, first ? 1 : 2, line, open, 0, &made));
  EXPECT_ERROR(MPI_ERR_NOT_SAME, "comm_old", "",
               MPI_Cart_create(MPI_COMM_WORLD, 2, line, open, first, &made));
  const int index[] = {1, 2}, edges[] = {1, 0}, loops[] = {0, 1};
  EXPECT_ERROR(MPI_ERR_NOT_SAME, "comm_old", "",
               MPI_Graph_create(MPI_COMM_WORLD, 2, index, first ? edges : loops, 0, &made));
  EXPECT_BAD_ADJACENT(MPI_ERR_NOT_SAME, "comm_old", "", 0, {0}, MPI_UNWEIGHTED, 0, {0},
                      MPI_UNWEIGHTED, &made, first);
}

// Grids are for one group.
void inter_communicators() {
  if (check::size < 2) return;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, check::rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check::rank % 2, 5, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  Untouched<MPI_Comm> made;
  const int one[] = {1};
  EXPECT_ERROR(MPI_ERR_COMM, "comm_old", "", MPI_Cart_create(inter, 1, one, one, 0, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm_old", "", MPI_Graph_create(inter, 1, one, one, 0, &made));
  EXPECT_ERROR(
      MPI_ERR_COMM, "comm_old", "",
      MPI_Dist_graph_create(inter, 1, one, one, one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  dims();
  cart_create();
  wrong_kind(MPI_COMM_WORLD, false, false, false);
  cart_inquiries();
  graph_create();
  graph_inquiries();
  dist_graph_create_adjacent();
  dist_graph_create();
  different_weights();
  dist_graph_inquiries();
  different_arguments();
  inter_communicators();
  errors::check_all_is_well();
  return check::finish();
}
