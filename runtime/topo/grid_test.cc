#include "runtime/topo/grid.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <limits>

namespace atl::topo {
namespace {

const Grid kGrid{{3, 4, 2}, {false, true, false}};

TEST_CASE("ranks and coordinates are row-major") {
  CHECK(kGrid.cells() == 24);
  for (int rank = 0; rank < 24; ++rank) {
    const Coordinates at = kGrid.coordinates_of(rank);
    CHECK(rank == (at[0] * 4 + at[1]) * 2 + at[2]);
    CHECK(kGrid.rank_at(at) == rank);
  }
}

TEST_CASE("periodic coordinates wrap") {
  CHECK(kGrid.rank_at(Coordinates{1, 5, 0}) == kGrid.rank_at(Coordinates{1, 1, 0}));
  CHECK(kGrid.rank_at(Coordinates{1, -1, 0}) == kGrid.rank_at(Coordinates{1, 3, 0}));
  constexpr int kLeast = std::numeric_limits<int>::min();
  CHECK(kGrid.rank_at(Coordinates{1, kLeast, 0}) == kGrid.rank_at(Coordinates{1, 0, 0}));
}

TEST_CASE("shifts end at the border or wrap") {
  const int here = kGrid.rank_at(Coordinates{0, 3, 1});
  CHECK(kGrid.shift(here, 0, 1) == std::pair(int{MPI_PROC_NULL}, 15));
  CHECK(kGrid.shift(here, 0, -1) == std::pair(15, int{MPI_PROC_NULL}));
  CHECK(kGrid.shift(here, 1, 1) == std::pair(5, 1));
  CHECK(kGrid.shift(here, 1, 6) == std::pair(3, 3));
  CHECK(kGrid.shift(here, 2, 0) == std::pair(here, here));
  constexpr int kMost = std::numeric_limits<int>::max();
  CHECK(kGrid.shift(here, 0, kMost) == std::pair(int{MPI_PROC_NULL}, int{MPI_PROC_NULL}));
  CHECK(kGrid.shift(here, 1, kMost) == std::pair(1, 5));
  constexpr int kLeast = std::numeric_limits<int>::min();
  CHECK(kGrid.shift(here, 1, kLeast) == std::pair(here, here));
}

TEST_CASE("subgrids") {
  const int remain[] = {0, 1, 1};
  const Grid part = kGrid.kept(remain);
  CHECK(part.dims == std::vector<int>{4, 2});
  CHECK(part.periodic == std::vector<char>{true, false});
  const int rank = kGrid.rank_at(Coordinates{2, 1, 1});
  CHECK(kGrid.part_of_rank(rank, remain, true) == 3);
  CHECK(kGrid.part_of_rank(rank, remain, false) == 2);
  const int none[] = {0, 0, 0};
  CHECK(kGrid.kept(none).cells() == 1);
  CHECK(kGrid.part_of_rank(rank, none, true) == 0);
  CHECK(kGrid.part_of_rank(rank, none, false) == rank);
}

TEST_CASE("products that are too large for an int") {
  CHECK(cells_up_to(std::vector<int>{65536, 65536, 65536, 65536, 65536}, 100) == 101);
  CHECK(cells_up_to(std::vector<int>{4, 25}, 100) == 100);
  CHECK(cells_up_to(std::vector<int>{}, 100) == 1);
}

}  // namespace
}  // namespace atl::topo
