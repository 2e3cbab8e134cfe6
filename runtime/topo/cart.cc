#include "runtime/topo/cart.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "runtime/construct/split.h"
#include "runtime/topo/topology_communicators.h"

namespace atl::topo {
namespace {

std::string text_of(std::span<const int> dims) {
  std::string text;
  for (const int extent : dims) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

Error check_grid(const Communicator& comm, int ndims, const int* dims) {
  if (Error error = check_parent(comm)) return error;
  if (ndims < 0) return make_error(MPI_ERR_DIMS, "ndims=%d is negative", ndims);
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 1) return make_error(MPI_ERR_DIMS, "dims[%d]=%d is not positive", i, dims[i]);
  }
  const std::span all(dims, static_cast<std::size_t>(ndims));
  if (cells_up_to(all, comm.size()) <= comm.size()) return {};
  return make_error(MPI_ERR_DIMS, "dims=%s needs more ranks than the %d of %s",
                    text_of(all).c_str(), comm.size(), comm.label().c_str());
}

Grid grid_of(int ndims, const int* dims, const int* periods) {
  Grid grid;
  for (int i = 0; i < ndims; ++i) {
    grid.dims.push_back(dims[i]);
    grid.periodic.push_back(periods[i] != 0);
  }
  return grid;
}

std::uint64_t digest_of(const Grid& grid, bool reorder) {
  const std::vector<int> periods(grid.periodic.begin(), grid.periodic.end());
  return digest(std::array<int, 2>{MPI_CART, reorder}, digest(periods, digest(grid.dims)));
}

Mapping mapping_of(const Communicator& comm, const Grid& grid, bool reorder) {
  const auto cells = static_cast<int>(grid.cells());
  const Locations locations = locations_for(comm, cells, reorder);
  return locations.empty() ? unchanged(cells) : map_grid(grid, locations);
}

// Coordinates in non-periodic dimensions must be inside the grid.
Error check_coordinates(const Grid& grid, const int* coords) {
  if (coords == nullptr && grid.dimensions() != 0) {
    return make_error(MPI_ERR_ARG, "coords is a null pointer, but there are %zu dimensions",
                      grid.dimensions());
  }
  for (std::size_t i = 0; i < grid.dimensions(); ++i) {
    if (grid.periodic[i] || (coords[i] >= 0 && coords[i] < grid.dims[i])) continue;
    return make_error(MPI_ERR_ARG,
                      "coords[%zu]=%d is outside a dimension of %d that is not periodic", i,
                      coords[i], grid.dims[i]);
  }
  return {};
}

}  // namespace

Error cart_create(Communicator& comm_old, int ndims, const int* dims, const int* periods,
                  int reorder, MPI_Comm* comm_cart) {
  if (Error error = check_grid(comm_old, ndims, dims)) return error;
  Grid grid = grid_of(ndims, dims, periods);
  if (Error error = agree(comm_old, digest_of(grid, reorder != 0))) return error;
  const Mapping mapping = mapping_of(comm_old, grid, reorder != 0);
  return make(comm_old, mapping, std::move(grid), comm_cart);
}

Error cart_map(Communicator& comm, int ndims, const int* dims, const int* periods, int* newrank) {
  if (Error error = check_grid(comm, ndims, dims)) return error;
  *newrank = node_of(mapping_of(comm, grid_of(ndims, dims, periods), true), comm.rank());
  return {};
}

// Ranks with the same coordinates in the dropped dimensions form one communicator.
Error cart_sub(Communicator& comm, const int* remain_dims, MPI_Comm* newcomm) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  if (remain_dims == nullptr && grid->dimensions() != 0) {
    return make_error(MPI_ERR_ARG, "remain_dims is a null pointer, but there are %zu dimensions",
                      grid->dimensions());
  }
  const std::span remain(remain_dims, grid->dimensions());
  if (Error error = construct::split(comm, grid->part_of_rank(comm.rank(), remain, false),
                                     grid->part_of_rank(comm.rank(), remain, true), newcomm)) {
    return error;
  }
  Communicator& made = *communicators.find(*newcomm);
  made.extensions.set(kTopology, std::make_shared<const Topology>(grid->kept(remain), made.rank()));
  return {};
}

Error cartdim_get(Communicator& comm, int* ndims) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  *ndims = static_cast<int>(grid->dimensions());
  return {};
}

Error cart_get(Communicator& comm, int maxdims, int* dims, int* periods, int* coords) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  if (Error error = check_room("maxdims", maxdims, grid->dimensions(), "dimensions")) return error;
  std::ranges::copy(grid->dims, dims);
  std::ranges::copy(grid->periodic, periods);
  std::ranges::copy(grid->coordinates_of(comm.rank()), coords);
  return {};
}

Error cart_rank(Communicator& comm, const int* coords, int* rank) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  if (Error error = check_coordinates(*grid, coords)) return error;
  *rank = grid->rank_at(std::span(coords, grid->dimensions()));
  return {};
}

Error cart_coords(Communicator& comm, int rank, int maxdims, int* coords) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  if (Error error = check_room("maxdims", maxdims, grid->dimensions(), "dimensions")) return error;
  std::ranges::copy(grid->coordinates_of(rank), coords);
  return {};
}

Error cart_shift(Communicator& comm, int direction, int disp, int* rank_source, int* rank_dest) {
  const Grid* grid = nullptr;
  if (Error error = find(comm, grid)) return error;
  const auto dimension = static_cast<std::size_t>(direction);
  if (direction < 0 || dimension >= grid->dimensions()) {
    return make_error(MPI_ERR_ARG, "direction=%d is none of the %zu dimensions", direction,
                      grid->dimensions());
  }
  std::tie(*rank_source, *rank_dest) = grid->shift(comm.rank(), dimension, disp);
  return {};
}

}  // namespace atl::topo
