// Cuts a grid into equal boxes, one per package, each of these into boxes for its NUMA nodes, and
// so on. Chooses the cut that the fewest edges cross.
#include <algorithm>
#include <limits>
#include <span>

#include "runtime/topo/reorder_detail.h"

namespace atl::topo {
namespace {

struct Box {
  Coordinates origin;
  std::vector<int> extent;

  int cells() const { return static_cast<int>(cells_up_to(extent, std::int64_t{1} << 30)); }
};

// The order of dimensions in which consecutive cells stay together: the longest
// changes slowest.
std::vector<std::size_t> longest_first(const std::vector<int>& extent) {
  std::vector<std::size_t> order(extent.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return extent[i]; });
  return order;
}

// Cuts of a box into equal tiles.
class Tiling {
 public:
  Tiling(const Grid& grid, const Box& box) : grid_(grid), box_(box), tiles_(box.extent.size(), 1) {}

  // The number of tiles along each dimension; empty when `count` tiles are impossible.
  std::vector<int> best(int count) {
    choose(0, count, 0);
    return best_;
  }

 private:
  void choose(std::size_t dimension, int count, std::int64_t across) {
    if (across >= least_) return;
    if (dimension == tiles_.size()) {
      if (count != 1) return;
      least_ = across;
      best_ = tiles_;
      return;
    }
    for (int tiles = 1; tiles <= count; ++tiles) {
      if (count % tiles != 0 || box_.extent[dimension] % tiles != 0) continue;
      tiles_[dimension] = tiles;
      choose(dimension + 1, count / tiles, across + cut(dimension, tiles));
    }
    tiles_[dimension] = 1;
  }

  // The number of edges between tiles in this dimension.
  std::int64_t cut(std::size_t dimension, int tiles) const {
    const int extent = box_.extent[dimension];
    const bool closed = grid_.periodic[dimension] && extent == grid_.dims[dimension] && tiles > 1;
    return std::int64_t{tiles - 1 + closed} * (box_.cells() / extent);
  }

  const Grid& grid_;
  const Box& box_;
  std::vector<int> tiles_;
  std::vector<int> best_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

class Filler {
 public:
  Filler(const Grid& grid, const Locations& locations)
      : grid_(grid), locations_(locations), mapping_(locations.size()) {}

  Mapping mapping() && { return std::move(mapping_); }

  // Assigns the cells of `box` to `ranks`, which share the first `level` levels.
  void fill(const Box& box, std::span<const int> ranks, int level) {
    if (level == kLevels) return fill_in_order(box, ranks);
    const std::vector<std::span<const int>> groups = split(ranks, level);
    if (groups.size() == 1) return fill(box, ranks, level + 1);
    const bool equal = std::ranges::all_of(
        groups, [&](const auto& group) { return group.size() == groups[0].size(); });
    const std::vector<int> tiles =
        equal ? Tiling(grid_, box).best(static_cast<int>(groups.size())) : std::vector<int>{};
    if (tiles.empty()) return fill_in_order(box, ranks);
    const Grid all{tiles, std::vector<char>(tiles.size())};
    for (std::size_t i = 0; i < groups.size(); ++i) {
      fill(tile(box, tiles, all.coordinates_of(static_cast<int>(i))), groups[i], level + 1);
    }
  }

 private:
  const shm::Location& place(int rank) const { return locations_[static_cast<std::size_t>(rank)]; }

  // Splits `ranks` into groups that share one more level.
  std::vector<std::span<const int>> split(std::span<const int> ranks, int level) const {
    std::vector<std::span<const int>> groups;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= ranks.size(); ++i) {
      if (i < ranks.size() && shared_levels(place(ranks[begin]), place(ranks[i])) > level) continue;
      groups.push_back(ranks.subspan(begin, i - begin));
      begin = i;
    }
    return groups;
  }

  static Box tile(const Box& box, const std::vector<int>& tiles, const Coordinates& which) {
    Box part = box;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      part.extent[i] /= tiles[i];
      part.origin[i] += which[i] * part.extent[i];
    }
    return part;
  }

  void fill_in_order(const Box& box, std::span<const int> ranks) {
    const std::vector<std::size_t> order = longest_first(box.extent);
    for (std::size_t n = 0; n < ranks.size(); ++n) {
      Coordinates cell = box.origin;
      auto rest = static_cast<int>(n);
      for (std::size_t i = order.size(); i-- > 0;) {
        cell[order[i]] += rest % box.extent[order[i]];
        rest /= box.extent[order[i]];
      }
      mapping_[static_cast<std::size_t>(grid_.rank_at(cell))] = ranks[n];
    }
  }

  const Grid& grid_;
  const Locations& locations_;
  Mapping mapping_;
};

}  // namespace

Mapping map_grid(const Grid& grid, const Locations& locations) {
  Filler filler(grid, locations);
  const Box whole{Coordinates(grid.dimensions()), grid.dims};
  filler.fill(whole, detail::ranks_by_location(locations), 0);
  return detail::better(std::move(filler).mapping(), edges_of(grid), locations);
}

}  // namespace atl::topo
