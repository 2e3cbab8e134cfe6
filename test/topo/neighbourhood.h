// Random topologies, and for each what the standard says about where the blocks
// of a neighbourhood collective come from (MPI 5.0, 8.6).
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "test/pattern.h"
#include "test/topo/grid.h"

namespace topo {

using Ints = std::vector<int>;

// A block that somebody sends.
struct Block {
  int rank;  // or MPI_PROC_NULL
  int place;
};

// Of the calling process in `comm`.
struct Neighbourhood {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = -1;
  Ints destinations;           // of each block that it sends
  std::vector<Block> sources;  // of each block that it gets
  bool repeated = false;       // there are ranks with several edges between them
};

template <class T>
void shuffle(std::vector<T>& values, check::Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(i)]);
  }
}

inline std::string text_of(const Ints& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "(" + text + ")";
}

// --- Cartesian ---

struct Axes {
  Ints dims, periods;

  // The neighbour `step` further in dimension `d`. The last dimension runs fastest.
  int neighbour(int rank, std::size_t d, int step) const {
    int stride = 1;
    for (std::size_t i = d + 1; i < dims.size(); ++i) stride *= dims[i];
    const int here = rank / stride % dims[d];
    int there = here + step;
    if (there < 0 || there >= dims[d]) {
      if (!periods[d]) return MPI_PROC_NULL;
      there = (there + dims[d]) % dims[d];
    }
    return rank + (there - here) * stride;
  }
};

// What is sent to a neighbour comes, there, from the opposite direction.
inline Neighbourhood cartesian(check::Random& random, MPI_Comm parent) {
  Axes axes;
  int left = size_of(parent);
  for (std::uint64_t i = random.below(5); i > 0; --i) {
    axes.dims.push_back(1 + int(random.below(std::min(left, 4))));
    axes.periods.push_back(int(random.below(2)));
    left /= axes.dims.back();
  }
  Neighbourhood made;
  made.name = "grid " + text_of(axes.dims) + " of periods " + text_of(axes.periods);
  MPI_Cart_create(parent, int(axes.dims.size()), axes.dims.data(), axes.periods.data(),
                  int(random.below(2)), &made.comm);
  if (made.comm == MPI_COMM_NULL) return made;
  made.rank = rank_in(made.comm);
  for (std::size_t d = 0; d < axes.dims.size(); ++d) {
    const int previous = axes.neighbour(made.rank, d, -1), next = axes.neighbour(made.rank, d, 1);
    made.destinations.push_back(previous);
    made.destinations.push_back(next);
    made.sources.push_back({previous, 2 * int(d) + 1});
    made.sources.push_back({next, 2 * int(d)});
    made.repeated |= axes.periods[d] && axes.dims[d] <= 2;
  }
  return made;
}

// --- graphs: lists of neighbours ---

using Lists = std::vector<Ints>;  // by rank

inline bool has_twice(Ints list) {
  std::ranges::sort(list);
  return std::ranges::adjacent_find(list) != list.end();
}

// The edges between two ranks are in the same order on both sides.
inline void match(const Lists& sources, const Lists& destinations, Neighbourhood& made) {
  made.destinations = destinations[std::size_t(made.rank)];
  made.repeated = std::ranges::any_of(sources, has_twice);
  Ints seen(sources.size());  // edges from each rank
  for (const int source : sources[std::size_t(made.rank)]) {
    const Ints& sent = destinations[std::size_t(source)];
    auto place = std::ranges::find(sent, made.rank);
    for (int i = seen[std::size_t(source)]++; i > 0; --i) {
      place = std::find(place + 1, sent.end(), made.rank);
    }
    CHECK(place != sent.end());
    made.sources.push_back({source, int(place - sent.begin())});
  }
}

// Between 0 and three edges a rank, some of them loops, some more than once.
inline Neighbourhood graph(check::Random& random, MPI_Comm parent) {
  const int nodes = 1 + int(random.below(size_of(parent)));
  Lists lists(nodes);
  for (std::uint64_t i = random.below(3 * nodes + 1); i > 0; --i) {
    const auto a = int(random.below(nodes)), b = int(random.below(nodes));
    lists[std::size_t(a)].push_back(b);
    if (a != b) lists[std::size_t(b)].push_back(a);
  }
  Ints index, edges;
  for (Ints& list : lists) {
    shuffle(list, random);
    edges.insert(edges.end(), list.begin(), list.end());
    index.push_back(int(edges.size()));
  }
  edges.push_back(0);  // or there may be no address
  Neighbourhood made;
  made.name = "graph of " + std::to_string(nodes) + " nodes";
  MPI_Graph_create(parent, nodes, index.data(), edges.data(), int(random.below(2)), &made.comm);
  if (made.comm == MPI_COMM_NULL) return made;
  made.rank = rank_in(made.comm);
  match(lists, lists, made);
  return made;
}

// Everybody's list, by rank.
inline Lists gathered(const Ints& mine, MPI_Comm comm) {
  Lists lists;
  for (const int length : everybodys(int(mine.size()), comm)) lists.emplace_back(length);
  lists[std::size_t(rank_in(comm))] = mine;
  for (int rank = 0; rank < size_of(comm); ++rank) {
    MPI_Bcast(lists[std::size_t(rank)].data(), int(lists[std::size_t(rank)].size()), MPI_INT, rank,
              comm);
  }
  return lists;
}

// Edges and weights are from anywhere to anywhere; `adjacent`: each process names
// its own, in an order of its own, else everybody names some.
inline Neighbourhood dist_graph(check::Random& random, MPI_Comm parent, bool adjacent) {
  const int size = size_of(parent), rank = rank_in(parent);
  Lists in(size), out(size);
  for (std::uint64_t i = random.below(4 * size + 1); i > 0; --i) {
    const auto from = int(random.below(size)), to = int(random.below(size));
    out[std::size_t(from)].push_back(to);
    in[std::size_t(to)].push_back(from);
  }
  for (Ints& list : in) shuffle(list, random);
  for (Ints& list : out) shuffle(list, random);
  const bool weighted = random.one_in(2);
  const int reorder = int(random.below(2));
  Ints sources = in[std::size_t(rank)], targets = out[std::size_t(rank)];
  const int indegree = int(sources.size()), outdegree = int(targets.size());
  sources.push_back(0);
  targets.push_back(0);
  Ints weights(sources.size() + targets.size(), 7);
  int* const weight = weighted ? weights.data() : MPI_UNWEIGHTED;
  Neighbourhood made;
  if (adjacent) {
    MPI_Dist_graph_create_adjacent(parent, indegree, sources.data(), weight, outdegree,
                                   targets.data(), weight, MPI_INFO_NULL, reorder, &made.comm);
  } else {
    const int other = size - 1 - rank;  // whose edges this process names
    Ints named = out[std::size_t(other)];
    const int degree = int(named.size());
    named.push_back(0);
    weights.resize(named.size(), 7);
    MPI_Dist_graph_create(parent, 1, &other, &degree, named.data(),
                          weighted ? weights.data() : MPI_UNWEIGHTED, MPI_INFO_NULL, reorder,
                          &made.comm);
  }
  made.name = adjacent ? "adjacent" : "distributed graph";
  made.rank = rank_in(made.comm);
  int ins = 0, outs = 0, has_weights = 0;
  MPI_Dist_graph_neighbors_count(made.comm, &ins, &outs, &has_weights);
  sources.assign(std::size_t(ins) + 1, -1);
  targets.assign(std::size_t(outs) + 1, -1);
  MPI_Dist_graph_neighbors(made.comm, ins, sources.data(), MPI_UNWEIGHTED, outs, targets.data(),
                           MPI_UNWEIGHTED);
  sources.pop_back();
  targets.pop_back();
  match(gathered(sources, made.comm), gathered(targets, made.comm), made);
  return made;
}

inline Neighbourhood random_neighbourhood(check::Random& random, MPI_Comm parent) {
  switch (random.below(4)) {
    case 0: return graph(random, parent);
    case 1: return dist_graph(random, parent, true);
    case 2: return dist_graph(random, parent, false);
    default: return cartesian(random, parent);
  }
}

}  // namespace topo
