#include "runtime/topo/neighbours.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <utility>
#include <vector>

#include "runtime/topo/virtual_topology.h"

namespace atl::topo {
namespace {

using Pairs = std::vector<std::pair<int, int>>;  // rank and block

Pairs pairs(const std::vector<Neighbours::Partner>& partners) {
  Pairs all;
  for (const auto& [rank, block] : partners) all.emplace_back(rank, block);
  return all;
}

// Receives, for each block of `rank`, (rank, block) of the sender: as the messages meet when those
// between two ranks arrive in the order in which they were begun. {-1, -1}: nothing arrives.
Pairs received(const std::vector<Neighbours>& all, int rank) {
  const Neighbours& mine = all[static_cast<std::size_t>(rank)];
  Pairs blocks(static_cast<std::size_t>(mine.indegree), {-1, -1});
  std::vector<std::size_t> begun(all.size());  // by sender: where its next message may be
  for (const auto& [source, block] : mine.sources) {
    const auto& sent = all[static_cast<std::size_t>(source)].destinations;
    std::size_t& next = begun[static_cast<std::size_t>(source)];
    while (next < sent.size() && sent[next].rank != rank) ++next;
    REQUIRE(next < sent.size());
    blocks[static_cast<std::size_t>(block)] = {source, sent[next++].block};
  }
  return blocks;
}

TEST_CASE("in a grid what is sent forwards arrives from behind, and the reverse") {
  for (const int extent : {1, 2, 3}) {
    for (const bool periodic : {false, true}) {
      CAPTURE(extent);
      CAPTURE(periodic);
      const Grid grid{{extent, 2, extent}, {periodic, !periodic, true}};
      std::vector<Neighbours> all;
      for (int rank = 0; rank < grid.cells(); ++rank) all.emplace_back(grid, rank);
      std::size_t sent = 0, arrived = 0;
      for (int rank = 0; rank < grid.cells(); ++rank) {
        const Neighbours& mine = all[static_cast<std::size_t>(rank)];
        CHECK(mine.indegree == 6);
        CHECK(mine.outdegree == 6);
        CHECK(mine.mutual);
        sent += mine.destinations.size();
        const Pairs blocks = received(all, rank);
        for (int dimension = 0; dimension < 3; ++dimension) {
          const auto [previous, next] = grid.shift(rank, static_cast<std::size_t>(dimension), 1);
          const auto from = static_cast<std::size_t>(2 * dimension);
          const Pairs wanted = {{previous, previous == MPI_PROC_NULL ? -1 : 2 * dimension + 1},
                                {next, next == MPI_PROC_NULL ? -1 : 2 * dimension}};
          for (const std::size_t side : {0, 1}) {
            const bool nobody = wanted[side].first == MPI_PROC_NULL;
            CHECK(blocks[from + side] == (nobody ? std::pair(-1, -1) : wanted[side]));
            arrived += !nobody;
          }
        }
      }
      CHECK(sent == arrived);
    }
  }
}

TEST_CASE("at the border of a grid blocks for nobody are left out, but keep their place") {
  const Neighbours first(Grid{{3, 2}, {false, true}}, 0);
  CHECK(pairs(first.sources) == Pairs{{2, 1}, {1, 2}, {1, 3}});
  CHECK(pairs(first.destinations) == Pairs{{2, 1}, {1, 3}, {1, 2}});
  const Neighbours none(Grid{}, 0);
  CHECK(none.indegree == 0);
  CHECK(none.sources.empty());
}

TEST_CASE("the neighbours in a graph are the partners in both directions, in their order") {
  const Graph graph{{2, 3, 6, 6}, {2, 1, 0, 2, 0, 2}};  // with loops at node 2, nothing at node 3
  const Neighbours first(graph, 0), third(graph, 2), last(graph, 3);
  CHECK(pairs(first.sources) == Pairs{{2, 0}, {1, 1}});
  CHECK(pairs(first.destinations) == pairs(first.sources));
  CHECK(third.indegree == 3);
  CHECK(third.outdegree == 3);
  CHECK(pairs(third.sources) == Pairs{{2, 0}, {0, 1}, {2, 2}});
  CHECK(first.mutual);
  CHECK(last.mutual);
  CHECK(last.sources.empty());
  CHECK(last.indegree == 0);
}

TEST_CASE("a graph is mutual when there are as many edges in either direction") {
  const auto mutual = [](const Graph& graph) { return Neighbours(graph, 0).mutual; };
  CHECK(mutual({{1, 2}, {1, 0}}));
  CHECK(mutual({{2, 4}, {1, 1, 0, 0}}));
  CHECK(mutual({{1, 1}, {0}}));                 // a loop
  CHECK(mutual({{2, 3, 4}, {1, 2, 0, 0}}));     // a star
  CHECK_FALSE(mutual({{1, 1}, {1}}));           // one direction alone
  CHECK_FALSE(mutual({{2, 3}, {1, 1, 0}}));     // twice, but once back
  CHECK_FALSE(mutual({{1, 2, 3}, {1, 2, 0}}));  // a cycle: the degrees alone do not tell
}

TEST_CASE("a distributed graph has its own partners in each direction") {
  const DistGraph graph{{{4, 4, 1}, {}}, {{2}, {}}, false};
  const Neighbours neighbours(graph, 7);
  CHECK(neighbours.indegree == 3);
  CHECK(neighbours.outdegree == 1);
  CHECK(pairs(neighbours.sources) == Pairs{{4, 0}, {4, 1}, {1, 2}});
  CHECK(pairs(neighbours.destinations) == Pairs{{2, 0}});
  CHECK(neighbours.mutual);
}

}  // namespace
}  // namespace atl::topo
