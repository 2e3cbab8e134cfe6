// The data read from hwloc, for this machine and synthetic ones.
#include "launcher/hardware/topology.h"

#include <doctest/doctest.h>
#include <hwloc.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/testing/synthetic_machine.h"

namespace atl::launcher {
namespace {

using shm::Location;
using testing::Setting;
using testing::SyntheticMachine;

Machine read_good(const std::string& description, const CpuSet& allowed = {}) {
  auto read = read_machine(description, allowed);
  const auto* machine = std::get_if<Machine>(&read);
  REQUIRE_MESSAGE(machine != nullptr, *std::get_if<std::string>(&read));
  return *machine;
}

std::string read_bad(const std::string& description) {
  auto read = read_machine(description, {});
  const auto* why = std::get_if<std::string>(&read);
  REQUIRE(why != nullptr);
  return *why;
}

// "0-1 2-3": the processing units of each core.
std::string cpus_of(const Topology& cores) {
  std::string text;
  for (const Core& core : cores) text += (text.empty() ? "" : " ") + ranges(core.cpus);
  return text;
}

// The number of instances of a kind, all with the same number of cores.
struct Count {
  std::int32_t Location::*kind;
  int instances;
};

// A description, and its expected contents.
struct Example {
  std::string description;
  int cores;
  int threads;  // of a core
  std::vector<Count> counts;
};

const Example kExamples[] = {
    {"pack:1 l3:1 core:4 pu:1",
     4,
     1,
     {{&Location::package, 1}, {&Location::numa, 1}, {&Location::l3cache, 1}}},
    {"pack:1 l3:1 l2:4 l1:1 core:1 pu:2",
     4,
     2,
     {{&Location::package, 1},
      {&Location::numa, 1},
      {&Location::l3cache, 1},
      {&Location::l2cache, 4},
      {&Location::l1cache, 4}}},
    {"pack:2 numa:1 l3:1 core:4 pu:1",
     8,
     1,
     {{&Location::package, 2}, {&Location::numa, 2}, {&Location::l3cache, 2}}},
    // hwloc adds a group around cores that share a memory, if no other object contains them.
    {"pack:2 numa:2 l3:2 core:2 pu:1",
     16,
     1,
     {{&Location::package, 2},
      {&Location::group, 4},
      {&Location::numa, 4},
      {&Location::l3cache, 8}}},
    {"pack:2 die:2 numa:1 l3:2 l2:2 core:2 pu:2",
     32,
     2,
     {{&Location::package, 2},
      {&Location::die, 4},
      {&Location::numa, 4},
      {&Location::l3cache, 8},
      {&Location::l2cache, 16}}},
    {"pack:2 l3:1 group:4 l2:4 l1:1 core:1 pu:1",
     32,
     1,
     {{&Location::package, 2},
      {&Location::group, 8},
      {&Location::numa, 1},
      {&Location::l3cache, 2},
      {&Location::l2cache, 32},
      {&Location::l1cache, 32}}},
    {"numa:4 pack:1 l2:2 core:1 pu:1",
     8,
     1,
     {{&Location::package, 4}, {&Location::numa, 4}, {&Location::l2cache, 8}}},
    {"pack:2 l5:1 l4:2 numa:1 l3:2 l2:8 l1:1 core:1 pu:2",
     64,
     2,
     {{&Location::package, 2},
      {&Location::numa, 4},
      {&Location::l5cache, 2},
      {&Location::l4cache, 4},
      {&Location::l3cache, 8},
      {&Location::l2cache, 64},
      {&Location::l1cache, 64}}},
};

// The instance of a kind that contains a core, if all instances have as many cores.
int expected(const Example& example, std::int32_t Location::*kind, int core) {
  if (kind == &Location::machine) return 0;
  if (kind == &Location::core) return core;
  const auto count = std::find_if(example.counts.begin(), example.counts.end(),
                                  [&](const Count& one) { return one.kind == kind; });
  return count == example.counts.end() ? -1 : core * count->instances / example.cores;
}

void check_example(const Example& example, const Topology& cores) {
  REQUIRE(cores.size() == static_cast<std::size_t>(example.cores));
  for (int i = 0; i < example.cores; ++i) {
    const Core& core = cores[static_cast<std::size_t>(i)];
    for (const shm::HardwareKind& kind : shm::kHardwareKinds) {
      const std::string name = kind.name;
      CAPTURE(name);
      CHECK(core.at.*kind.instance == expected(example, kind.instance, i));
    }
    std::vector<int> cpus;
    for (int thread = 0; thread < example.threads; ++thread) {
      cpus.push_back(i * example.threads + thread);
    }
    CHECK(core.cpus == cpus);
    CHECK(core.speed == 0);
  }
}

TEST_CASE("each core has the objects that contain it, from a description and from a file") {
  for (const Example& example : kExamples) {
    CAPTURE(example.description);
    check_example(example, read_good(example.description).cores);
    check_example(example, SyntheticMachine(example.description.c_str()).topology());
  }
}

TEST_CASE("neighbours are consecutive, independently of the system's numbers") {
  CHECK(cpus_of(read_good("pack:1 l3:1 core:2 pu:2(indexes=core:pu)").cores) == "0,2 1,3");
  const Topology cores = read_good("pack:2 l3:1 core:2 pu:2(indexes=pack:core:pu)").cores;
  CHECK(cpus_of(cores) == "0,4 2,6 1,5 3,7");
  CHECK(cores[1].at.package == 0);
  CHECK(cores[2].at.package == 1);
}

TEST_CASE("of several memories the nearest counts, and of equals the first") {
  const Topology near = read_good("[numa] pack:2 [numa] core:2 pu:1").cores;
  CHECK(near[0].at.numa == near[1].at.numa);
  CHECK(near[2].at.numa == near[0].at.numa + 1);
  const Topology equals = read_good("pack:2 [numa] [numa] core:2 pu:1").cores;
  CHECK(equals[1].at.numa == 0);
  CHECK(equals[2].at.numa == 2);
}

TEST_CASE("only allowed cores count, and a core counts with half its threads") {
  SyntheticMachine machine("pack:2 numa:1 l3:1 core:2 pu:2");
  const Topology cores = machine.allow_only({1, 6, 7}).topology();
  CHECK(cpus_of(cores) == "1 6-7");
  CHECK(cores[0].at.package == 0);
  CHECK(cores[1].at.package == 1);
  CHECK(cores[1].at.core == 3);  // as lstopo numbers it
  CHECK(machine.allow_only({}).topology().empty());
  CHECK(machine.allow_only({8000}).topology().empty());
}

std::vector<int> speeds_of(const SyntheticMachine& machine) {
  std::vector<int> speeds;
  for (const Core& core : machine.topology()) speeds.push_back(core.speed);
  return speeds;
}

TEST_CASE("kinds of cores, the most economical first") {
  SyntheticMachine machine("pack:1 core:4 pu:1");
  CHECK(speeds_of(machine) == std::vector{0, 0, 0, 0});
  machine.set_kind(0, 1, 30).set_kind(2, 3, 10);
  CHECK(speeds_of(machine) == std::vector{1, 1, 0, 0});
  SyntheticMachine three("pack:1 core:4 pu:1");
  three.set_kind(0, 1, 1).set_kind(2, 2, 2).set_kind(3, 3, 7);
  CHECK(speeds_of(three) == std::vector{0, 0, 1, 2});
}

TEST_CASE("speeds that are known of some cores only are not compared") {
  SyntheticMachine machine("pack:1 core:4 pu:1");
  machine.set_kind(0, 0, 1);
  CHECK(speeds_of(machine) == std::vector{0, 0, 0, 0});
}

TEST_CASE("where hwloc finds no cores each processing unit counts as one") {
  SyntheticMachine machine("pack:2 pu:3");
  const Topology cores = machine.allow_only({2, 5}).topology();
  CHECK(cpus_of(cores) == "2 5");
  CHECK(cores[1].at.core == 5);
  CHECK(cores[1].at.package == 1);
}

// Compares the cores of mpiexec with those of lstopo, which keeps all kinds of objects.
TEST_CASE("this machine is as lstopo shows it") {
  const Setting no_plugins("HWLOC_PLUGINS_PATH", "");
  const Setting no_file("HWLOC_XMLFILE", nullptr);
  const Setting no_description("HWLOC_SYNTHETIC", nullptr);
  const CpuSet allowed = read_allowed_cpus().cpus;
  const Machine machine = read_good("", allowed);
  CHECK(machine.here());
  CHECK(machine.allowed == allowed);
  hwloc_topology_t whole = nullptr;
  REQUIRE(hwloc_topology_init(&whole) == 0);
  REQUIRE(hwloc_topology_load(whole) == 0);
  CpuSet seen;
  for (const Core& core : machine.cores) {
    for (const int cpu : core.cpus) {
      CHECK(allowed.contains(cpu));
      CHECK_FALSE(seen.contains(cpu));
      seen.add(cpu);
      hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(whole, static_cast<unsigned>(cpu));
      REQUIRE(pu != nullptr);
      for (const auto& [type, index] :
           {std::pair{HWLOC_OBJ_CORE, core.at.core}, std::pair{HWLOC_OBJ_L2CACHE, core.at.l2cache},
            std::pair{HWLOC_OBJ_L3CACHE, core.at.l3cache},
            std::pair{HWLOC_OBJ_PACKAGE, core.at.package}}) {
        hwloc_obj_t around = hwloc_get_ancestor_obj_by_type(whole, type, pu);
        if (around != nullptr) CHECK(static_cast<int>(around->logical_index) == index);
      }
      hwloc_obj_t memory = nullptr;
      hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
      hwloc_cpuset_to_nodeset(whole, pu->cpuset, nodes);
      memory = hwloc_get_obj_by_type(whole, HWLOC_OBJ_NUMANODE,
                                     static_cast<unsigned>(std::max(core.at.numa, 0)));
      CHECK((memory != nullptr && hwloc_bitmap_isset(nodes, memory->os_index) != 0));
      hwloc_bitmap_free(nodes);
    }
  }
  CHECK(seen.count() > 0);
  hwloc_topology_destroy(whole);
}

TEST_CASE("another machine is recognised, and all its cpus may be used") {
  const Machine machine = read_good("pack:2 core:2 pu:2");
  CHECK_FALSE(machine.here());
  CHECK(machine.named == "--topology");
  CHECK(machine.allowed.to_string() == "0-7");
  const Setting here("HWLOC_THISSYSTEM", "1");
  CpuSet allowed;
  allowed.add(3);
  const Machine own = read_good("pack:2 core:2 pu:2", allowed);
  CHECK(own.here());
  CHECK(own.allowed == allowed);
  CHECK(cpus_of(own.cores) == "3");
}

TEST_CASE("hwloc's variables name a machine; --topology has precedence, then the file") {
  CHECK_FALSE(names_topology(""));
  CHECK(names_topology("core:2 pu:1"));
  const Setting description("HWLOC_SYNTHETIC", "core:3 pu:1");
  CHECK(names_topology(""));
  CHECK(read_good("").named == "HWLOC_SYNTHETIC");
  CHECK(read_good("").cores.size() == 3);
  const SyntheticMachine five("core:5 pu:1");
  const Setting file("HWLOC_XMLFILE", five.file().c_str());
  CHECK(read_good("").named == "HWLOC_XMLFILE");
  CHECK(read_good("").cores.size() == 5);
  CHECK(read_good("core:2 pu:1").cores.size() == 2);
}

TEST_CASE("an invalid description is refused, and not replaced by this machine") {
  CHECK(read_bad("foo") ==
        "--topology: 'foo' is neither a file nor a synthetic topology of hwloc, such as "
        "'package:2 core:4 pu:2'");
  const std::string file = SyntheticMachine("core:2 pu:1").file();  // deleted by now
  CHECK(read_bad(file).find("neither a file nor") != std::string::npos);
  std::ofstream(file) << "<topology";
  CHECK(read_bad(file) ==
        fmt::format("--topology: '{}' cannot be read as a topology in hwloc's XML format", file));
  std::filesystem::remove(file);
  {
    const Setting gone("HWLOC_XMLFILE", file.c_str());
    CHECK(read_bad("") ==
          fmt::format("HWLOC_XMLFILE: '{}' cannot be read as a topology in hwloc's XML format",
                      file));
  }
  const Setting nonsense("HWLOC_SYNTHETIC", "4 by 4");
  CHECK(read_bad("").starts_with("HWLOC_SYNTHETIC: '4 by 4' is neither"));
}

TEST_CASE("hwloc loads no plugins, and the environment is left as it was") {
  read_good("core:2 pu:1");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    CHECK(line.find("/hwloc/hwloc_") == std::string::npos);
  }
  CHECK(::getenv("HWLOC_PLUGINS_PATH") == nullptr);
  const Setting plugins("HWLOC_PLUGINS_PATH", "/nonexistent");
  read_good("core:2 pu:1");
  CHECK(std::string(::getenv("HWLOC_PLUGINS_PATH")) == "/nonexistent");
}

}  // namespace
}  // namespace atl::launcher
