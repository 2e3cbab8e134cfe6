// The arithmetic of Cartesian topologies (MPI 5.0, 8.5.1 and 8.5.6). Ranks are in
// row-major order: the last coordinate changes fastest.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace atl::topo {

using Coordinates = std::vector<int>;

struct Grid {
  std::vector<int> dims;
  std::vector<char> periodic;  // one per dimension

  std::size_t dimensions() const { return dims.size(); }
  std::int64_t cells() const;  // 1 without dimensions

  Coordinates coordinates_of(int rank) const;

  // Coordinates in periodic dimensions may have any value; the others must be inside the grid.
  int rank_at(std::span<const int> coordinates) const;

  // The ranks `displacement` cells before and after `rank` in a dimension; MPI_PROC_NULL outside
  // the grid.
  std::pair<int, int> shift(int rank, std::size_t dimension, int displacement) const;

  // The grid of the dimensions with remain[i] != 0.
  Grid kept(std::span<const int> remain) const;

  // The rank, in a grid of only the dimensions with remain[i] == which, of the coordinates of
  // `rank` in these dimensions.
  int part_of_rank(int rank, std::span<const int> remain, bool which) const;
};

// The number of cells of the dimensions, or limit + 1 if there are more than `limit`.
std::int64_t cells_up_to(std::span<const int> dims, std::int64_t limit);

}  // namespace atl::topo
