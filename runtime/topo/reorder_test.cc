#include "runtime/topo/reorder.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace atl::topo {
namespace {

// A machine of packages x NUMA nodes x L3 caches x cores, with one rank per core: rank r on core r.
Locations machine(int packages, int numas, int caches, int cores) {
  Locations locations;
  for (int core = 0; core < packages * numas * caches * cores; ++core) {
    const int cache = core / cores;
    locations.push_back({.package = cache / caches / numas,
                         .numa = cache / caches,
                         .l3cache = cache,
                         .core = core});
  }
  return locations;
}

// Distributes ranks cyclically, `stride` cores at a time, so that neighbours are far apart.
Locations scattered(const Locations& locations, int stride) {
  Locations result;
  const auto count = static_cast<int>(locations.size());
  for (int start = 0; start < stride; ++start) {
    for (int core = start; core < count; core += stride) {
      result.push_back(locations[static_cast<std::size_t>(core)]);
    }
  }
  return result;
}

void check_permutation(const Mapping& mapping) {
  const std::set<int> ranks(mapping.begin(), mapping.end());
  CHECK(ranks.size() == mapping.size());
  CHECK(*ranks.begin() == 0);
  CHECK(*ranks.rbegin() == static_cast<int>(mapping.size()) - 1);
}

TEST_CASE("distances count the levels to cross") {
  const Locations locations = machine(2, 2, 2, 2);
  CHECK(distance(locations[0], locations[0]) == 0);
  CHECK(distance(locations[0], locations[1]) == 1);  // one L3 cache
  CHECK(distance(locations[0], locations[2]) == 2);  // one NUMA node
  CHECK(distance(locations[0], locations[4]) == 3);  // one package
  CHECK(distance(locations[0], locations[15]) == 4);
}

TEST_CASE("without known places, or with equal distances, the mapping is unchanged") {
  const Grid grid{{4, 4}, {true, true}};
  CHECK(map_grid(grid, Locations(16)) == unchanged(16));
  CHECK(map_grid(grid, machine(1, 1, 1, 16)) == unchanged(16));
  CHECK(map_graph(16, edges_of(grid), Locations(16)) == unchanged(16));
}

// 8x8 in row-major order on 4 packages of 16 cores puts two rows on each package. Squares of 4x4
// have a shorter border.
TEST_CASE("a square grid goes onto packages in squares") {
  const Grid grid{{8, 8}, {false, false}};
  const Locations locations = machine(4, 1, 1, 16);
  const Mapping mapping = map_grid(grid, locations);
  check_permutation(mapping);
  for (int rank = 0; rank < 64; ++rank) {
    const Coordinates at = grid.coordinates_of(rank);
    const int package =
        locations[static_cast<std::size_t>(mapping[static_cast<std::size_t>(rank)])].package;
    CHECK(package == at[0] / 4 * 2 + at[1] / 4);
  }
  // Before: 3 borders of 8 edges; now 2 of 8. The distance is 4 between packages, 1 within one.
  CHECK(cost(edges_of(grid), unchanged(64), locations) == 24 * 4 + 88);
  CHECK(cost(edges_of(grid), mapping, locations) == 16 * 4 + 96);
}

TEST_CASE("every level has its own boxes") {
  const Grid grid{{8, 8, 4}, {false, false, false}};
  const Locations locations = machine(2, 2, 4, 16);
  const Mapping mapping = map_grid(grid, locations);
  check_permutation(mapping);
  const auto of = [&](int rank) -> const shm::Location& {
    return locations[static_cast<std::size_t>(mapping[static_cast<std::size_t>(rank)])];
  };
  // The ranks of each unit fill a box: there are as many as the box has cells.
  const auto fills_boxes = [&](auto member, int units) {
    for (int unit = 0; unit < units; ++unit) {
      Coordinates low(3, 99), high(3, -1);
      int count = 0;
      for (int rank = 0; rank < 256; ++rank) {
        if (of(rank).*member != unit) continue;
        ++count;
        const Coordinates at = grid.coordinates_of(rank);
        for (std::size_t i = 0; i < 3; ++i) {
          low[i] = std::min(low[i], at[i]);
          high[i] = std::max(high[i], at[i]);
        }
      }
      int box = 1;
      for (std::size_t i = 0; i < 3; ++i) box *= high[i] - low[i] + 1;
      CHECK(box == count);
    }
  };
  fills_boxes(&shm::Location::package, 2);
  fills_boxes(&shm::Location::numa, 4);
  fills_boxes(&shm::Location::l3cache, 16);
  CHECK(cost(edges_of(grid), mapping, locations) < cost(edges_of(grid), unchanged(256), locations));
}

TEST_CASE("reordering gathers scattered ranks") {
  const Grid grid{{4, 16}, {true, false}};
  const Locations locations = scattered(machine(2, 1, 4, 8), 32);
  const Mapping mapping = map_grid(grid, locations);
  check_permutation(mapping);
  CHECK(2 * cost(edges_of(grid), mapping, locations) <
        cost(edges_of(grid), unchanged(64), locations));
}

TEST_CASE("units of different sizes and grids that cannot be divided evenly") {
  Locations locations = machine(2, 1, 2, 8);
  locations.resize(27);
  locations = scattered(locations, 4);
  for (const Grid& grid :
       {Grid{{3, 9}, {false, false}}, Grid{{27}, {true}}, Grid{{3, 3, 3}, {true, true, true}},
        Grid{{1, 27, 1}, {false, true, true}}}) {
    const Mapping mapping = map_grid(grid, locations);
    check_permutation(mapping);
    CHECK(cost(edges_of(grid), mapping, locations) <=
          cost(edges_of(grid), unchanged(27), locations));
  }
}

TEST_CASE("a grid without dimensions") {
  const Grid grid{{}, {}};
  CHECK(map_grid(grid, machine(1, 1, 1, 1)) == Mapping{0});
}

// Two cliques of four nodes, even and odd, joined by one edge, on two packages of four cores: each
// clique belongs on one package.
TEST_CASE("nodes of a graph that communicate much are placed together") {
  std::vector<Edge> edges;
  for (int i = 0; i < 8; ++i) {
    for (int j = i + 2; j < 8; j += 2) edges.push_back({i, j, 5});
  }
  edges.push_back({0, 1, 1});
  const Locations locations = machine(2, 1, 1, 4);
  const Mapping mapping = map_graph(8, edges, locations);
  check_permutation(mapping);
  for (int node = 0; node < 8; ++node) {
    const int package =
        locations[static_cast<std::size_t>(mapping[static_cast<std::size_t>(node)])].package;
    CHECK(package == node % 2);
  }
}

TEST_CASE("heavier edges count for more") {
  // A ring with heavy edges 1-2, 3-4, 5-0, on pairs of cores with one cache each.
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 9}, {2, 3, 1},
                                   {3, 4, 9}, {4, 5, 1}, {5, 0, 9}};
  const Locations locations = machine(1, 1, 3, 2);
  const Mapping mapping = map_graph(6, edges, locations);
  check_permutation(mapping);
  CHECK(cost(edges, mapping, locations) == 3 * 9 * 1 + 3 * 1 * 2);
}

TEST_CASE("graphs without edges, with loops and with edges there and back") {
  const Locations locations = machine(2, 1, 1, 2);
  CHECK(map_graph(4, {}, locations) == unchanged(4));
  const std::vector<Edge> edges = {{0, 0, 3}, {0, 2, 1}, {2, 0, 1}, {1, 3, 1}, {3, 3, 0}};
  const Mapping mapping = map_graph(4, edges, locations);
  check_permutation(mapping);
  CHECK(cost(edges, mapping, locations) == 3);
}

TEST_CASE("the largest machines are quick, and the mapping is deterministic") {
  const Grid grid{{16, 16, 4}, {true, true, true}};
  const Locations locations = scattered(machine(8, 4, 4, 8), 128);
  CHECK(map_grid(grid, locations) == map_grid(grid, locations));
  const Mapping mapping = map_graph(1024, edges_of(grid), locations);
  check_permutation(mapping);
  CHECK(3 * cost(edges_of(grid), mapping, locations) <
        2 * cost(edges_of(grid), unchanged(1024), locations));
}

}  // namespace
}  // namespace atl::topo
