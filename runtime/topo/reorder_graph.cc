// A graph cannot be cut into boxes as a grid can. Ranks are taken in the order of their locations,
// and each becomes the node that sends most to the nodes placed nearby.
#include <array>
#include <numeric>

#include "runtime/topo/reorder_detail.h"

namespace atl::topo {
namespace {

// Neighbours of each node in both directions.
class Neighbours {
 public:
  Neighbours(int nodes, const std::vector<Edge>& edges)
      : begin_(static_cast<std::size_t>(nodes) + 1), list_(2 * edges.size()) {
    for (const Edge& edge : edges) {
      ++begin_[static_cast<std::size_t>(edge.from) + 1];
      ++begin_[static_cast<std::size_t>(edge.to) + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next = begin_;
    for (const Edge& edge : edges) {
      list_[next[static_cast<std::size_t>(edge.from)]++] = edge;
      list_[next[static_cast<std::size_t>(edge.to)]++] = {edge.to, edge.from, edge.weight};
    }
  }

  // Calls visit(neighbour, weight).
  template <class Visit>
  void for_each(int node, Visit visit) const {
    const auto index = static_cast<std::size_t>(node);
    for (std::size_t i = begin_[index]; i < begin_[index + 1]; ++i) {
      visit(static_cast<std::size_t>(list_[i].to), list_[i].weight);
    }
  }

 private:
  std::vector<std::size_t> begin_;  // by node, into the list
  std::vector<Edge> list_;
};

class Greedy {
 public:
  Greedy(int nodes, const std::vector<Edge>& edges)
      : neighbours_(nodes, edges),
        gains_(static_cast<std::size_t>(nodes)),
        placed_(static_cast<std::size_t>(nodes)) {}

  // The unplaced node that sends most to nearby nodes; each shared level counts once.
  int next() const {
    int best = -1;
    std::int64_t most = -1;
    for (std::size_t node = 0; node < gains_.size(); ++node) {
      if (placed_[node]) continue;
      const std::int64_t gain = std::accumulate(gains_[node].begin(), gains_[node].end(), 0ll);
      if (gain <= most) continue;
      most = gain;
      best = static_cast<int>(node);
    }
    return best;
  }

  void place(int node) {
    placed_[static_cast<std::size_t>(node)] = true;
    neighbours_.for_each(node, [&](std::size_t neighbour, int weight) {
      for (std::int64_t& gain : gains_[neighbour]) gain += weight;
    });
  }

  // Called before a rank that shares only `shared` levels with the rank before it: later ranks do
  // not share more with earlier ones, since ranks are in the order of their places.
  void leave(int shared) {
    for (auto& gain : gains_) {
      for (int level = shared + 1; level <= kLevels; ++level) {
        gain[static_cast<std::size_t>(level)] = 0;
      }
    }
  }

 private:
  Neighbours neighbours_;
  // Indexed by node and level: the weight of its edges to nodes placed within the current unit of
  // that level. Level 0 is the whole machine.
  std::vector<std::array<std::int64_t, kLevels + 1>> gains_;
  std::vector<char> placed_;
};

}  // namespace

Mapping map_graph(int nodes, const std::vector<Edge>& edges, const Locations& locations) {
  const std::vector<int> ranks = detail::ranks_by_location(locations);
  Mapping mapping(static_cast<std::size_t>(nodes));
  Greedy greedy(nodes, edges);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int node = greedy.next();
    mapping[static_cast<std::size_t>(node)] = ranks[i];
    greedy.place(node);
    if (i + 1 == ranks.size()) break;
    greedy.leave(shared_levels(locations[static_cast<std::size_t>(ranks[i])],
                               locations[static_cast<std::size_t>(ranks[i + 1])]));
  }
  return detail::better(std::move(mapping), edges, locations);
}

}  // namespace atl::topo
