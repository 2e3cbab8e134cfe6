#include "runtime/topo/grid.h"

#include <mpi.h>

#include <algorithm>
#include <limits>

namespace atl::topo {
namespace {

// `value` modulo `extent`, not negative.
int wrapped(std::int64_t value, int extent) {
  const auto remainder = static_cast<int>(value % extent);
  return remainder < 0 ? remainder + extent : remainder;
}

}  // namespace

std::int64_t cells_up_to(std::span<const int> dims, std::int64_t limit) {
  std::int64_t cells = 1;
  for (const int extent : dims) cells = std::min(cells * extent, limit + 1);
  return cells;
}

std::int64_t Grid::cells() const { return cells_up_to(dims, std::numeric_limits<int>::max()); }

Coordinates Grid::coordinates_of(int rank) const {
  Coordinates coordinates(dims.size());
  for (std::size_t i = dims.size(); i-- > 0; rank /= dims[i]) coordinates[i] = rank % dims[i];
  return coordinates;
}

int Grid::rank_at(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    rank = rank * dims[i] + wrapped(coordinates[i], dims[i]);
  }
  return rank;
}

std::pair<int, int> Grid::shift(int rank, std::size_t dimension, int displacement) const {
  const Coordinates here = coordinates_of(rank);
  const auto neighbour = [&](std::int64_t distance) {
    const std::int64_t wanted = here[dimension] + distance;
    if (!periodic[dimension] && (wanted < 0 || wanted >= dims[dimension])) return MPI_PROC_NULL;
    Coordinates there = here;
    there[dimension] = wrapped(wanted, dims[dimension]);
    return rank_at(there);
  };
  return {neighbour(-std::int64_t{displacement}), neighbour(displacement)};
}

Grid Grid::kept(std::span<const int> remain) const {
  Grid part;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!remain[i]) continue;
    part.dims.push_back(dims[i]);
    part.periodic.push_back(periodic[i]);
  }
  return part;
}

int Grid::part_of_rank(int rank, std::span<const int> remain, bool which) const {
  const Coordinates coordinates = coordinates_of(rank);
  int part = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if ((remain[i] != 0) == which) part = part * dims[i] + coordinates[i];
  }
  return part;
}

}  // namespace atl::topo
