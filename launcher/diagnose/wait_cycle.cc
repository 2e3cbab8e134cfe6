#include "launcher/diagnose/wait_cycle.h"

#include <algorithm>
#include <deque>

namespace atl::launcher {
namespace {

using Edges = std::vector<std::vector<int>>;

// For each rank the ranks that it waits for.
Edges edges_of(std::span<const WaitDependency> dependencies, std::size_t ranks, bool weak) {
  Edges edges(ranks);
  for (const WaitDependency& dependency : dependencies) {
    if (dependency.any && !weak) continue;
    auto& from = edges[static_cast<std::size_t>(dependency.rank)];
    from.insert(from.end(), dependency.from.begin(), dependency.from.end());
  }
  return edges;
}

// The shortest path from `start` back to it, in order; empty when there is none.
std::vector<int> cycle_through(const Edges& edges, int start) {
  std::vector<int> came_from(edges.size(), -1);
  std::deque<int> next{start};
  while (!next.empty()) {
    const int rank = next.front();
    next.pop_front();
    for (const int other : edges[static_cast<std::size_t>(rank)]) {
      if (other == start) {
        std::vector<int> cycle;
        for (int at = rank; at != start; at = came_from[static_cast<std::size_t>(at)]) {
          cycle.push_back(at);
        }
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (came_from[static_cast<std::size_t>(other)] >= 0) continue;
      came_from[static_cast<std::size_t>(other)] = rank;
      next.push_back(other);
    }
  }
  return {};
}

}  // namespace

std::vector<int> shortest_cycle(std::span<const WaitDependency> dependencies, std::size_t ranks,
                                bool weak) {
  const Edges edges = edges_of(dependencies, ranks, weak);
  std::vector<int> shortest;
  for (std::size_t start = 0; start < ranks; ++start) {
    const auto cycle = cycle_through(edges, static_cast<int>(start));
    if (!cycle.empty() && (shortest.empty() || cycle.size() < shortest.size())) shortest = cycle;
  }
  return shortest;
}

}  // namespace atl::launcher
