// Cartesian topologies (8.5.1, 8.5.5 to 8.5.8): coordinates, shifts, subgrids,
// copies; with and without reordering.
#include <numeric>
#include <vector>

#include "test/topo/grid.h"

namespace {

using Ints = std::vector<int>;

struct Shape {
  Ints dims, periods;

  int ndims() const { return int(dims.size()); }
  int cells() const { return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies{}); }
};

// Grids of one to four dimensions for all ranks, and smaller ones.
std::vector<Shape> shapes() {
  std::vector<Shape> all = {{{1}, {1}}};
  if (check::on_atoll()) all.push_back({{}, {}});  // a point
  for (int ndims = 1; ndims <= 4; ++ndims) {
    Ints dims(ndims, 0), periods(ndims, 0);
    MPI_Dims_create(check::size, ndims, dims.data());
    for (int i = 0; i < ndims; ++i) periods[i] = i % 2;
    all.push_back({dims, periods});
    for (int& one : periods) one = !one;
    all.push_back({dims, periods});
  }
  if (check::size >= 3) all.push_back({{(check::size - 1) / 2, 2}, {1, 0}});
  return all;
}

MPI_Comm create(const Shape& shape, int reorder) {
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, shape.ndims(), shape.dims.data(), shape.periods.data(),
                           reorder, &comm),
           MPI_SUCCESS);
  return comm;
}

Ints coords_of(MPI_Comm comm, int rank, int ndims) {
  Ints coords(ndims, -1);
  CHECK_EQ(MPI_Cart_coords(comm, rank, ndims, coords.data()), MPI_SUCCESS);
  return coords;
}

void inquiries(MPI_Comm comm, const Shape& shape) {
  CHECK_EQ(topo::kind_of(comm), MPI_CART);
  int ndims = -1;
  MPI_Cartdim_get(comm, &ndims);
  CHECK_EQ(ndims, shape.ndims());
  Ints dims(ndims, -1), periods(ndims, -1), coords(ndims, -1);
  MPI_Cart_get(comm, ndims, dims.data(), periods.data(), coords.data());
  CHECK(dims == shape.dims);
  CHECK(periods == shape.periods);
  CHECK(coords == coords_of(comm, topo::rank_in(comm), ndims));
}

// Row-major, and back (8.5.1).
void ranks_and_coordinates(MPI_Comm comm, const Shape& shape) {
  for (int rank = 0; rank < shape.cells(); ++rank) {
    const Ints coords = coords_of(comm, rank, shape.ndims());
    int expected = 0, found = -1;
    for (int i = 0; i < shape.ndims(); ++i) expected = expected * shape.dims[i] + coords[i];
    CHECK_EQ(expected, rank);
    MPI_Cart_rank(comm, coords.data(), &found);
    CHECK_EQ(found, rank);
    for (int i = 0; i < shape.ndims(); ++i) {
      if (!shape.periods[i]) continue;
      for (int turns : {-3, -1, 2}) {
        Ints around = coords;
        around[i] += turns * shape.dims[i];
        MPI_Cart_rank(comm, around.data(), &found);
        CHECK_EQ(found, rank);
      }
    }
  }
}

// Who sends there and who comes from there fit together: a message along each shift.
void shifts(MPI_Comm comm, const Shape& shape) {
  const int rank = topo::rank_in(comm);
  const Ints here = coords_of(comm, rank, shape.ndims());
  for (int i = 0; i < shape.ndims(); ++i) {
    for (int distance : {0, 1, -1, 2, 7}) {
      int source = -99, dest = -99, in = -1;
      CHECK_EQ(MPI_Cart_shift(comm, i, distance, &source, &dest), MPI_SUCCESS);
      MPI_Sendrecv(&rank, 1, MPI_INT, dest, 4, &in, 1, MPI_INT, source, 4, comm, MPI_STATUS_IGNORE);
      CHECK_EQ(in, source == MPI_PROC_NULL ? -1 : source);
      Ints there = here;
      there[i] += distance;
      const bool inside = there[i] >= 0 && there[i] < shape.dims[i];
      CHECK_EQ(dest == MPI_PROC_NULL, !inside && !shape.periods[i]);
      if (dest == MPI_PROC_NULL) continue;
      int expected = -1;
      MPI_Cart_rank(comm, there.data(), &expected);
      CHECK_EQ(dest, expected);
    }
  }
}

void subgrids(MPI_Comm comm, const Shape& shape) {
  const int ndims = shape.ndims();
  const Ints here = coords_of(comm, topo::rank_in(comm), ndims);
  // To keep no dimension makes points.
  for (int kept = check::on_atoll() ? 0 : 1; kept < 1 << ndims; ++kept) {
    Shape part;
    Ints remain(ndims), coords;
    for (int i = 0; i < ndims; ++i) {
      remain[i] = kept >> i & 1;
      if (!remain[i]) continue;
      part.dims.push_back(shape.dims[i]);
      part.periods.push_back(shape.periods[i]);
      coords.push_back(here[i]);
    }
    MPI_Comm sub = MPI_COMM_NULL;
    CHECK_EQ(MPI_Cart_sub(comm, remain.data(), &sub), MPI_SUCCESS);
    CHECK_EQ(topo::size_of(sub), part.cells());
    inquiries(sub, part);
    CHECK(coords_of(sub, topo::rank_in(sub), part.ndims()) == coords);
    // The others in it have the same coordinates in what was dropped.
    for (int i = 0; i < ndims; ++i) {
      if (remain[i]) continue;
      for (int other : topo::everybodys(here[i], sub)) CHECK_EQ(other, here[i]);
    }
    MPI_Comm_free(&sub);
  }
}

// MPI_Cart_map says which rank a grid gives, and reordering does it.
void maps(const Shape& shape, MPI_Comm reordered) {
  int newrank = -99;
  CHECK_EQ(MPI_Cart_map(MPI_COMM_WORLD, shape.ndims(), shape.dims.data(), shape.periods.data(),
                        &newrank),
           MPI_SUCCESS);
  const int rank = reordered == MPI_COMM_NULL ? MPI_UNDEFINED : topo::rank_in(reordered);
  if (check::on_atoll()) CHECK_EQ(newrank, rank);
  CHECK_EQ(newrank == MPI_UNDEFINED, rank == MPI_UNDEFINED);
}

void grid(const Shape& shape, int reorder) {
  check::set_case("%d dimensions, %d cells, reorder %d", shape.ndims(), shape.cells(), reorder);
  MPI_Comm comm = create(shape, reorder);
  if (reorder && shape.ndims() > 0) maps(shape, comm);
  if (!reorder) CHECK_EQ(comm == MPI_COMM_NULL, check::rank >= shape.cells());
  if (comm == MPI_COMM_NULL) return;
  topo::check_different_processes(comm, shape.cells());
  if (!reorder) CHECK_EQ(topo::rank_in(comm), check::rank);
  inquiries(comm, shape);
  ranks_and_coordinates(comm, shape);
  shifts(comm, shape);
  if (shape.ndims() <= 3) subgrids(comm, shape);
  MPI_Comm copy;  // has the topology too (7.4.2)
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  inquiries(copy, shape);
  shifts(copy, shape);
  MPI_Comm_free(&copy);
}

// On the machine that the variant `far` pretends, a chain must not stay as it is.
void something_is_reordered() {
  if (std::getenv("ATOLL_PLACES") == nullptr || check::size < 4) return;
  check::set_case("a chain on a machine that is far apart");
  MPI_Comm comm = create({{check::size}, {0}}, 1);
  int moved = 0;
  const Ints ranks = topo::everybodys(check::rank, comm);
  for (int i = 0; i < check::size; ++i) moved += ranks[i] != i;
  CHECK(moved > 0);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK_EQ(topo::kind_of(MPI_COMM_WORLD), int(MPI_UNDEFINED));
  for (const Shape& shape : shapes()) {
    for (int reorder : {0, 1}) grid(shape, reorder);
  }
  something_is_reordered();
  return check::finish();
}
