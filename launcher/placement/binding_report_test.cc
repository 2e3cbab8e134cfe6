#include "launcher/placement/binding_report.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

// `packages` packages of two L3 caches with two cores of two threads each.
Topology node(int packages) {
  Topology cores;
  for (int i = 0; i < 4 * packages; ++i) {
    cores.push_back({.at = {.package = i / 4, .numa = i / 4, .l3cache = i / 2, .core = i},
                     .speed = 0,
                     .cpus = {i, i + 4 * packages}});
  }
  return cores;
}

TEST_CASE("each core shows its rank") {
  const Topology cores = node(2);
  const auto places = place_ranks(cores, {.map = MapBy::core}, 6, {});
  CHECK(report(cores, {}, places) ==
        "6 ranks on 8 cores with 16 hardware threads, 2 NUMA nodes, 2 packages\n"
        "package 0\n"
        "  NUMA 0  L3 0    [0][1]\n"
        "  NUMA 0  L3 1    [2][3]\n"
        "package 1\n"
        "  NUMA 1  L3 2    [4][5]\n"
        "  NUMA 1  L3 3    [.][.]\n"
        "  . no rank is bound here\n"
        "rank 0: core 0, cpus 0,8\n"
        "rank 1: core 1, cpus 1,9\n"
        "rank 2: core 2, cpus 2,10\n"
        "rank 3: core 3, cpus 3,11\n"
        "rank 4: core 4, cpus 4,12\n"
        "rank 5: core 5, cpus 5,13\n");
}

TEST_CASE("several ranks on a core, and slow cores") {
  Topology cores = node(1);
  cores.erase(cores.begin() + 1);
  cores[0].speed = 1;
  const auto places = place_ranks(cores, {.bind = BindTo::package}, 2, {});
  CHECK(report(cores, {}, places) ==
        "2 ranks on 3 cores with 6 hardware threads, 1 NUMA node, 1 package\n"
        "package 0\n"
        "  NUMA 0  L3 0    [0-1]\n"
        "  NUMA 0  L3 1    (0-1)(0-1)\n"
        "  ( ) slower cores\n"
        "rank 0: cores 0,2-3, cpus 0,2-4,6-7\n"
        "rank 1: cores 0,2-3, cpus 0,2-4,6-7\n");
}

TEST_CASE("ranks that are not bound are said to be so") {
  const Topology cores = node(1);
  const std::string text = report(cores, {}, place_ranks(cores, {}, 9, {}));
  CHECK(text.find("[.][.]") != std::string::npos);
  CHECK(text.ends_with("ranks are not bound: each may use all of these cores\n"));
}

TEST_CASE("cores of other jobs are marked") {
  CpuSet taken;
  taken.add(1);
  const std::string text = report(node(1), taken, place_ranks(node(1), {}, 9, {}));
  CHECK(text.find("[.][x]") != std::string::npos);
  CHECK(text.find("; x of another job\n") != std::string::npos);
}

TEST_CASE("a long row is broken") {
  Topology cores;
  for (int i = 0; i < 60; ++i)
    cores.push_back({.at = {.package = 0, .l3cache = 0, .core = i}, .cpus = {i}});
  const std::string text = report(cores, {}, place_ranks(cores, {.map = MapBy::core}, 60, {}));
  CHECK(text.find("[19]\n                  [20]") != std::string::npos);
}

}  // namespace
}  // namespace atl::launcher
