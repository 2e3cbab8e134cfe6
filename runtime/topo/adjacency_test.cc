#include "runtime/topo/adjacency.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <string>
#include <vector>

namespace atl::topo {
namespace {

using Ints = std::vector<int>;

void check_equal(const DistGraph& one, const DistGraph& other) {
  CHECK(one.weighted == other.weighted);
  CHECK(one.in.ranks == other.in.ranks);
  CHECK(one.in.weights == other.in.weights);
  CHECK(one.out.ranks == other.out.ranks);
  CHECK(one.out.weights == other.out.weights);
}

TEST_CASE("ranks outside the communicator are refused, the first of them by its place") {
  const Communicator comm(RankMap::range(0, 1, 4), 1, 3);
  const int good[] = {0, 3, 3, 1};
  CHECK_FALSE(check_ranks({"sources", good, 4}, comm));
  CHECK_FALSE(check_ranks({"sources", nullptr, 0}, comm));
  for (const int wrong : {4, -1, int{MPI_PROC_NULL}, 2147483647}) {
    const int ranks[] = {0, wrong, 9};
    const Error error = check_ranks({"sources", ranks, 3}, comm);
    CHECK(error.error_class() == MPI_ERR_RANK);
    CHECK(error.text().starts_with("sources[1]=" + std::to_string(wrong) + " is outside"));
    CHECK_FALSE(check_ranks({"sources", ranks, 1}, comm));  // behind the array
  }
}

TEST_CASE("weights are an array without negative values, or not given at all") {
  const int good[] = {0, 7}, wrong[] = {7, -1};
  CHECK(WeightArray{"weights", good, 2}.given());
  CHECK(WeightArray{"weights", MPI_WEIGHTS_EMPTY, 0}.given());
  CHECK_FALSE(WeightArray{"weights", MPI_UNWEIGHTED, 2}.given());
  CHECK_FALSE(check_weights({"weights", good, 2}));
  CHECK_FALSE(check_weights({"weights", wrong, 1}));
  CHECK_FALSE(check_weights({"weights", MPI_UNWEIGHTED, 2}));
  CHECK_FALSE(check_weights({"weights", MPI_WEIGHTS_EMPTY, 0}));
  CHECK_FALSE(check_weights({"weights", nullptr, 0}));
  const auto text = [](const int* weights) {
    const Error error = check_weights({"weights", weights, 2});
    CHECK(error.error_class() == MPI_ERR_ARG);
    return error.text();
  };
  CHECK(text(wrong) == "weights[1]=-1 is negative");
  CHECK(text(nullptr) == "weights is a null pointer, but there are 2 edges");
  CHECK(text(MPI_WEIGHTS_EMPTY) == "weights is MPI_WEIGHTS_EMPTY, but there are 2 edges");
}

TEST_CASE("the arrays are copied, the weights where there are some") {
  int ranks[] = {2, 0}, weights[] = {5, 6};
  const RankArray two{"sources", ranks, 2};
  const Adjacency weighted = adjacency_of(two, {"weights", weights, 2});
  const Adjacency unweighted = adjacency_of(two, {"weights", MPI_UNWEIGHTED, 2});
  const Adjacency empty = adjacency_of({"sources", nullptr, 0}, {"weights", MPI_WEIGHTS_EMPTY, 0});
  ranks[0] = weights[0] = 99;
  CHECK(weighted.ranks == Ints{2, 0});
  CHECK(weighted.weights == Ints{5, 6});
  CHECK(unweighted.ranks == Ints{2, 0});
  CHECK(unweighted.weights.empty());
  CHECK(empty.ranks.empty());
  CHECK(empty.weights.empty());
}

TEST_CASE("a graph of numbers is the graph that the numbers were made of") {
  const DistGraph graphs[] = {
      {},
      {{{}, {}}, {{}, {}}, true},
      {{{3, 1, 3}, {}}, {{2}, {}}, false},
      {{{3, 1, 3}, {10, 0, 12}}, {{2}, {13}}, true},
      {{{}, {}}, {{2, 0}, {13, 14}}, true},
      {{{5}, {}}, {{}, {}}, false},
  };
  for (const DistGraph& graph : graphs) check_equal(from_numbers(to_numbers(graph)), graph);
}

TEST_CASE("edges of numbers are the edges that the numbers were made of") {
  const EdgeList lists[] = {
      {},
      {{}, true},
      {{{1, 2, 3}}, true},
      {{{1, 2, 1}, {0, 0, 1}, {2, 1, 1}}, false},
  };
  for (const EdgeList& list : lists) {
    const EdgeList back = edges_from_numbers(to_numbers(list));
    CHECK(back.weighted == list.weighted);
    REQUIRE(back.edges.size() == list.edges.size());
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      CHECK(back.edges[i].from == list.edges[i].from);
      CHECK(back.edges[i].to == list.edges[i].to);
      CHECK(back.edges[i].weight == list.edges[i].weight);
    }
  }
}

}  // namespace
}  // namespace atl::topo
