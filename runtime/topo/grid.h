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
  std::vector<char> periodic;  // one a dimension

  std::size_t dimensions() const { return dims.size(); }
  std::int64_t cells() const;  // 1 without dimensions

  Coordinates coordinates_of(int rank) const;

  // Coordinates of periodic dimensions may be any; the others must be inside.
  int rank_at(std::span<const int> coordinates) const;

  // The ranks `displacement` cells before and behind `rank` in a dimension;
  // MPI_PROC_NULL where the grid ends.
  std::pair<int, int> shift(int rank, std::size_t dimension, int displacement) const;

  // The grid of the dimensions that are kept.
  Grid kept(std::span<const int> remain) const;

  // What the coordinates of `rank` in the dimensions with remain[i] == which are
  // when these alone are counted.
  int part_of_rank(int rank, std::span<const int> remain, bool which) const;
};

// How many cells the dimensions make; more than `limit` count as limit + 1.
std::int64_t cells_up_to(std::span<const int> dims, std::int64_t limit);

}  // namespace atl::topo
