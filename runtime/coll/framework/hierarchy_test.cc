// The tree as each rank computes it for itself: all must see the same one.
#include "runtime/coll/framework/hierarchy.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <variant>
#include <vector>

namespace atl::coll::shared_memory {
namespace {

constexpr int kGroup = Hierarchy::kGroup;

// The tree from the view of one rank.
struct View {
  View(int rank, int size, int root, const MachineOrder* order)
      : comm(RankMap::range(0, 1, size), rank, 3), channel(comm), hierarchy(channel, root, order) {}

  std::vector<int> children() const {
    std::vector<int> all;
    hierarchy.each_child([&](int child) { all.push_back(child); });
    return all;
  }

  Communicator comm;
  Channel channel;
  Hierarchy hierarchy;
};

MachineOrder in_order(int size) {
  MachineOrder order;
  order.rank_at.resize(static_cast<std::size_t>(size));
  std::iota(order.rank_at.begin(), order.rank_at.end(), 0);
  order.position_of = order.rank_at;
  return order;
}

MachineOrder shuffled(int size) {
  MachineOrder order = in_order(size);
  std::ranges::shuffle(order.rank_at, std::mt19937(1));
  for (int position = 0; position < size; ++position) {
    const int rank = order.rank_at[static_cast<std::size_t>(position)];
    order.position_of[static_cast<std::size_t>(rank)] = position;
  }
  return order;
}

using Views = std::vector<std::unique_ptr<View>>;

// Calls check(views, root, position of each rank) for trees of many shapes.
template <class Check>
void for_trees(Check check) {
  for (const int size : {1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 100, 150}) {
    auto made = shm::Segment::create({.size = static_cast<std::uint32_t>(size)});
    REQUIRE(std::holds_alternative<shm::Segment>(made));
    process.segment.emplace(std::move(std::get<shm::Segment>(made)));
    for (const int root : {0, 1, 7, 8, size / 2, size - 1}) {
      if (root >= size) continue;
      const MachineOrder mixed = shuffled(size);
      for (const MachineOrder* order : {static_cast<const MachineOrder*>(nullptr), &mixed}) {
        CAPTURE(size);
        CAPTURE(root);
        CAPTURE((order != nullptr));
        Views views;
        for (int rank = 0; rank < size; ++rank) {
          views.push_back(std::make_unique<View>(rank, size, root, order));
        }
        check(views, root, order != nullptr ? mixed.position_of : in_order(size).position_of);
      }
    }
  }
}
TEST_CASE("each rank but the root is the child of its parent, and of nobody else") {
  for_trees([](const Views& views, int root, const std::vector<int>&) {
    std::vector<int> times_child(views.size());
    for (std::size_t rank = 0; rank < views.size(); ++rank) {
      const std::vector<int> children = views[rank]->children();
      CHECK((views[rank]->hierarchy.has_children() || children.empty()));
      for (const int child : children) {
        ++times_child[static_cast<std::size_t>(child)];
        CHECK(views[static_cast<std::size_t>(child)]->hierarchy.parent() == static_cast<int>(rank));
      }
    }
    for (std::size_t rank = 0; rank < views.size(); ++rank) {
      const bool is_root = static_cast<int>(rank) == root;
      CHECK(views[rank]->hierarchy.has_parent() == !is_root);
      CHECK(times_child[rank] == (is_root ? 0 : 1));
    }
  });
}

TEST_CASE("the root is reached over as many ranks as the tree has levels") {
  for_trees([](const Views& views, int root, const std::vector<int>&) {
    std::size_t levels = 0;
    for (std::size_t ranks = 1; ranks < views.size(); ranks *= kGroup) ++levels;
    for (std::size_t rank = 0; rank < views.size(); ++rank) {
      std::size_t at = rank;
      std::size_t steps = 0;
      while (views[at]->hierarchy.has_parent() && steps <= levels) {
        at = static_cast<std::size_t>(views[at]->hierarchy.parent());
        ++steps;
      }
      CHECK(at == static_cast<std::size_t>(root));
      CHECK(steps <= levels);
    }
  });
}

// So a reduction combines all, in their order.
TEST_CASE("the members of a group stand for neighbours, one block of them after the other") {
  for_trees([](const Views& views, int, const std::vector<int>& place_of) {
    const int size = static_cast<int>(views.size());
    for (int rank = 0; rank < size; ++rank) {
      const Hierarchy& hierarchy = views[static_cast<std::size_t>(rank)]->hierarchy;
      const int own = place_of[static_cast<std::size_t>(rank)];
      for (int stride = 1; stride < hierarchy.stride(); stride *= kGroup) {
        const int members = hierarchy.members(stride);
        const int first = own - own % (stride * kGroup);
        CHECK(members <= kGroup);
        for (int i = 0; i < members; ++i) {
          const int place = place_of[static_cast<std::size_t>(hierarchy.member(stride, i))];
          CHECK(place / stride == first / stride + i);
        }
        // Nobody behind the last one belongs to the group.
        const int end = std::min(size, first + stride * kGroup);
        CHECK((end - first + stride - 1) / stride == members);
      }
    }
  });
}

}  // namespace
}  // namespace atl::coll::shared_memory
