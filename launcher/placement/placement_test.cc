// Placement on synthetic nodes.
#include "launcher/placement/placement.h"

#include <doctest/doctest.h>

#include <string>

#include "launcher/base/text.h"
#include "launcher/hardware/testing/synthetic_machine.h"

namespace atl::launcher {
namespace {

// A node that hwloc makes from a description.
class Node : public testing::SyntheticMachine {
 public:
  using SyntheticMachine::SyntheticMachine;

  // The cpus of each rank: "0-3 4-7"; "free" for a rank that is not bound.
  std::string place(int ranks, PlacementOptions options = {}, Limits limits = {}) const {
    std::string text;
    for (const RankPlace& place : place_ranks(topology(), options, ranks, limits)) {
      if (!text.empty()) text += ' ';
      text += place.cpus.empty() ? "free" : place.cpus.to_string();
    }
    return text;
  }
};

constexpr const char* kLaptop = "pack:1 l3:1 core:4 pu:1";
constexpr const char* kThreads = "pack:1 l3:1 core:4 pu:2";
constexpr const char* kTwoPackages = "pack:2 numa:1 l3:1 core:4 pu:1";
constexpr const char* kSubNuma = "pack:2 numa:2 l3:2 core:2 pu:1";  // 16 cores, 4 NUMA, 8 L3

PlacementOptions bind(BindTo target) { return {.bind = target}; }
PlacementOptions map(MapBy object, int cores = 0) {
  return {.map = object, .cores_per_rank = cores};
}

TEST_CASE("cores are divided into equal blocks of neighbours") {
  CHECK(Node(kLaptop).place(4) == "0 1 2 3");
  CHECK(Node(kLaptop).place(2) == "0-1 2-3");
  CHECK(Node(kLaptop).place(3) == "0 1 2");
  CHECK(Node(kTwoPackages).place(2) == "0-3 4-7");
  CHECK(Node(kThreads).place(2) == "0-3 4-7");
  CHECK(Node(kThreads).place(4) == "0-1 2-3 4-5 6-7");
}

TEST_CASE("blocks do not cross packages unnecessarily") {
  CHECK(Node("pack:2 core:5 pu:1").place(4) == "0-1 2-3 5-6 7-8");
}

TEST_CASE("more ranks than cores are not bound") {
  CHECK(Node(kLaptop).place(5) == "free free free free free");
  CHECK(Node(kThreads).place(5) == "free free free free free");
  CHECK(Node(kThreads).place(8, bind(BindTo::core)) == "free free free free free free free free");
  CHECK(Node(kLaptop).place(3, map(MapBy::core, 2)) == "free free free");
}

TEST_CASE("a single rank is bound only on request") {
  CHECK(Node(kLaptop).place(1) == "free");
  CHECK(Node(kLaptop).place(1, bind(BindTo::core)) == "0");
  CHECK(Node(kLaptop).place(1, map(MapBy::core, 2)) == "0-1");
}

TEST_CASE("a quota smaller than the number of cores counts like fewer cores") {
  CHECK(Node(kLaptop).place(3, {}, {.quota = 2}) == "free free free");
  CHECK(Node(kLaptop).place(2, {}, {.quota = 2}) == "0-1 2-3");
  CHECK(cores_are_shared(4, 3, 2));
  CHECK_FALSE(cores_are_shared(4, 3, 0));
  CHECK_FALSE(cores_are_shared(4, 4, 8));
  CHECK(cores_are_shared(4, 5, 8));
}

TEST_CASE("binding to cores or threads packs the ranks") {
  CHECK(Node(kTwoPackages).place(3, bind(BindTo::core)) == "0 1 2");
  CHECK(Node(kThreads).place(3, bind(BindTo::core)) == "0-1 2-3 4-5");
  CHECK(Node(kThreads).place(3, bind(BindTo::hwthread)) == "0 1 2");
  CHECK(Node(kThreads).place(8, bind(BindTo::hwthread)) == "0 1 2 3 4 5 6 7");
  CHECK(Node(kThreads).place(2, bind(BindTo::none)) == "free free");
}

TEST_CASE("binding to an object gives all of it") {
  CHECK(Node(kTwoPackages).place(4, bind(BindTo::package)) == "0-3 0-3 4-7 4-7");
  CHECK(Node(kSubNuma).place(4, bind(BindTo::numa)) == "0-3 4-7 8-11 12-15");
  CHECK(Node(kSubNuma).place(2, bind(BindTo::l3cache)) == "0-7 8-15");
  CHECK(Node(kSubNuma).place(8, bind(BindTo::l3cache)) == "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
}

TEST_CASE("objects can be shared by more ranks than they have cores") {
  CHECK(Node(kTwoPackages).place(10, bind(BindTo::package)) ==
        "0-3 0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7 4-7");
  CHECK(Node("pack:2 core:1 pu:1").place(4, {.bind = BindTo::package, .map = MapBy::package}) ==
        "0 1 0 1");
}

TEST_CASE("a node without the object is one object") {
  CHECK(Node("pack:2 core:2 pu:1").place(2, bind(BindTo::l3cache)) == "0-3 0-3");
}

TEST_CASE("--map-by assigns ranks round-robin to objects") {
  CHECK(Node(kTwoPackages).place(4, map(MapBy::package)) == "0-1 4-5 2-3 6-7");
  CHECK(Node(kTwoPackages).place(2, map(MapBy::package)) == "0-3 4-7");
  CHECK(Node(kTwoPackages).place(4, {.bind = BindTo::core, .map = MapBy::package}) == "0 4 1 5");
  CHECK(Node(kSubNuma).place(4, {.bind = BindTo::core, .map = MapBy::numa}) == "0 4 8 12");
  CHECK(Node(kSubNuma).place(3, map(MapBy::l3cache, 1)) == "0 2 4");
  CHECK(Node(kTwoPackages).place(3, map(MapBy::core)) == "0 1 2");
}

TEST_CASE("PE=n gives n cores a rank") {
  CHECK(Node(kTwoPackages).place(2, map(MapBy::core, 2)) == "0-1 2-3");
  CHECK(Node(kTwoPackages).place(2, map(MapBy::package, 2)) == "0-1 4-5");
  CHECK(Node(kTwoPackages)
            .place(4, {.bind = BindTo::core, .map = MapBy::package, .cores_per_rank = 2}) ==
        "0-1 4-5 2-3 6-7");
  CHECK(Node(kThreads).place(2, map(MapBy::core, 2)) == "0-3 4-7");
}

TEST_CASE("threads widen blocks") {
  CHECK(Node(kTwoPackages).place(2, {}, {.threads = 2}) == "0-3 4-7");
  CHECK(Node(kTwoPackages).place(2, map(MapBy::core), {.threads = 2}) == "0-1 2-3");
  CHECK(Node(kTwoPackages).place(2, bind(BindTo::core), {.threads = 4}) == "0-3 4-7");
  CHECK(Node(kTwoPackages).place(3, map(MapBy::core, 1), {.threads = 2}) == "0 1 2");
  CHECK(Node(kTwoPackages).place(3, {}, {.threads = 4}) == "free free free");
}

TEST_CASE("ppr gives each object the same number of ranks") {
  const PlacementOptions two{.bind = BindTo::core, .map = MapBy::package, .ranks_per_object = 2};
  CHECK(ranks_on_all_objects(Node(kTwoPackages).topology(), two) == 4);
  CHECK(Node(kTwoPackages).place(4, two) == "0 1 4 5");
  CHECK(Node(kTwoPackages).place(3, two) == "0 1 4");
  CHECK(Node(kTwoPackages).place(4, {.map = MapBy::package, .ranks_per_object = 2}) ==
        "0-1 2-3 4-5 6-7");
  const PlacementOptions wide{.bind = BindTo::numa, .map = MapBy::numa, .ranks_per_object = 5};
  CHECK(Node(kSubNuma).place(6, wide) == "0-3 0-3 0-3 0-3 0-3 4-7");
}

TEST_CASE("--rank-by core gives neighbours consecutive ranks with round-robin") {
  PlacementOptions options{.bind = BindTo::core, .map = MapBy::package, .rank_by_core = true};
  CHECK(Node(kTwoPackages).place(4, options) == "0 1 4 5");
  CHECK(Node(kTwoPackages).place(3, options) == "0 1 4");
}

TEST_CASE("each rank has its item of a list, as far as it is allowed") {
  Node node(kThreads);
  const PlacementOptions options{.bind = BindTo::list, .list = {{3}, {0, 1}}};
  CHECK(node.place(3, options) == "3 0-1 3");
  node.allow_only({0, 2});
  CHECK(node.place(2, options) == "free 0");
}

TEST_CASE("slow cores can be excluded, or treated like the others") {
  Node node("pack:1 l3:1 core:12 pu:1");
  node.set_kind(0, 7, 0).set_kind(8, 11, 1);
  CHECK(node.place(2, {.kind = CpuKind::fast}) == "8-9 10-11");
  CHECK(node.place(5, {.kind = CpuKind::fast}) == "8-11 8-11 8-11 8-11 8-11");
  CHECK(node.place(2, {.kind = CpuKind::all}) == "0-5 6-11");
}

TEST_CASE("full objects are skipped") {
  Node node(kTwoPackages);
  node.allow_only({0, 1, 2, 4});
  CHECK(node.place(4, {.bind = BindTo::core, .map = MapBy::package}) == "0 4 1 2");
}

TEST_CASE("only allowed cores count, and a core counts with half its threads") {
  Node node(kThreads);
  node.allow_only({1, 2, 3, 7});
  CHECK(node.place(3) == "1 2-3 7");
  CHECK(node.place(2) == "1 2-3");
  CHECK(node.place(4) == "free free free free");
  CHECK(node.place(4, bind(BindTo::hwthread)) == "1 2 3 7");
  CHECK(node.place(1, bind(BindTo::package)) == "1-3,7");
}

TEST_CASE("fast cores come first") {
  Node node("pack:1 l3:1 core:12 pu:1");  // slow cores first: the order must not matter
  node.set_kind(0, 7, 0).set_kind(8, 11, 1);
  CHECK(node.place(2) == "8-9 10-11");
  CHECK(node.place(4) == "8 9 10 11");
  CHECK(node.place(5) == "8 9 10 11 0");
  CHECK(node.place(12) == "8 9 10 11 0 1 2 3 4 5 6 7");
  CHECK(node.place(2, bind(BindTo::core)) == "8 9");
  CHECK(node.place(3, map(MapBy::core, 2)) == "8-9 10-11 0-1");
}

TEST_CASE("a rank's place has the objects that contain all its cpus") {
  const auto places = place_ranks(Node(kSubNuma).topology(), {}, 4, {});
  CHECK(places[1].at.core == -1);  // four cores
  CHECK(places[1].at.l3cache == -1);
  CHECK(places[1].at.numa == 1);
  CHECK(places[1].at.package == 0);
  CHECK(places[1].cpus.count() == 4);
  const auto single = place_ranks(Node(kSubNuma).topology(), bind(BindTo::core), 4, {});
  CHECK(single[3].at.core == 3);
  CHECK(single[3].at.l3cache == 1);
  CHECK(place_ranks(Node(kLaptop).topology(), {}, 9, {})[8].at.core == -1);
}

TEST_CASE("128 cores: every rank has its own, and none is left out") {
  const Node node("pack:2 numa:4 l3:2 core:8 pu:2");
  for (const int ranks : {2, 3, 7, 33, 64, 100, 128}) {
    CAPTURE(ranks);
    CpuSet seen;
    int sum = 0;
    for (const RankPlace& place : place_ranks(node.topology(), {}, ranks, {})) {
      CHECK(place.cpus.count() == 2 * (128 / ranks));
      for (const int cpu : place.cpus.cpus()) seen.add(cpu);
      sum += place.cpus.count();
    }
    CHECK(seen.count() == sum);  // disjoint
  }
}

TEST_CASE("the topology is read only when it matters") {
  CHECK_FALSE(placement_needs_topology({}, 1, 8, 0));
  CHECK(placement_needs_topology({}, 8, 8, 0));
  CHECK_FALSE(placement_needs_topology({}, 9, 8, 0));
  CHECK_FALSE(placement_needs_topology({}, 3, 8, 2));
  CHECK(placement_needs_topology(bind(BindTo::package), 9, 8, 0));
  CHECK(placement_needs_topology(bind(BindTo::core), 1, 8, 0));
  CHECK_FALSE(placement_needs_topology(bind(BindTo::none), 2, 8, 0));
  CHECK(placement_needs_topology({.bind = BindTo::none, .kind = CpuKind::fast}, 2, 8, 0));
}

}  // namespace
}  // namespace atl::launcher
