// The topology of this node and of made-up ones, compared with hwloc.
#include "launcher/hardware/topology.h"

#include <doctest/doctest.h>
#include <hwloc.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/testing/hwloc_topology.h"

namespace atl::launcher {
namespace {

// A line a core: where it is.
std::string text_of(const Topology& topology) {
  std::string text;
  for (const Core& core : topology) {
    for (const shm::HardwareKind& kind : shm::kHardwareKinds) {
      text += fmt::format("{} {} ", kind.name, core.at.*kind.instance);
    }
    text += fmt::format("speed {} cpus {}\n", core.speed, ranges(core.cpus));
  }
  return text;
}

// A folder that looks like /sys/devices.
class Devices {
 public:
  Devices() {
    std::string name = (std::filesystem::temp_directory_path() / "devices.XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~Devices() { std::filesystem::remove_all(folder_); }
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text << '\n';
  }
  void write_cpu(int cpu, const std::string& path, const std::string& text) const {
    write(fmt::format("system/cpu/cpu{}/{}", cpu, path), text);
  }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

// As the kernel writes it.
std::string mask_of(hwloc_const_bitmap_t set) {
  std::string text;
  for (int word = hwloc_bitmap_last(set) / 32; word >= 0; --word) {
    unsigned bits = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if (hwloc_bitmap_isset(set, static_cast<unsigned>(32 * word + bit)) != 0) bits |= 1u << bit;
    }
    text += fmt::format("{}{:08x}", text.empty() ? "" : ",", bits);
  }
  return text;
}

// A node that hwloc makes from a description, and its image in folders.
class Node {
 public:
  explicit Node(const char* description) {
    hwloc_topology_init(&topology_);
    REQUIRE(hwloc_topology_set_synthetic(topology_, description) == 0);
    REQUIRE(hwloc_topology_load(topology_) == 0);
    const int cpus = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PU);
    for (int i = 0; i < cpus; ++i) {
      const hwloc_obj_t cpu = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PU, i);
      all_.add(static_cast<int>(cpu->os_index));
      draw(cpu);
    }
    draw_memories();
  }
  ~Node() { hwloc_topology_destroy(topology_); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const CpuSet& all() const { return all_; }
  const Devices& devices() const { return devices_; }
  Topology read(const CpuSet& allowed) const { return read_topology(allowed, devices_.folder()); }
  Topology described(const CpuSet& allowed) const {
    return testing::describe_topology(topology_, allowed);
  }

 private:
  void draw(hwloc_obj_t cpu) const {
    const int number = static_cast<int>(cpu->os_index);
    int caches = 0;
    for (hwloc_obj_t around = cpu; around != nullptr; around = around->parent) {
      const std::string mask = mask_of(around->cpuset);
      if (around->type == HWLOC_OBJ_CORE) devices_.write_cpu(number, "topology/core_cpus", mask);
      if (around->type == HWLOC_OBJ_DIE) devices_.write_cpu(number, "topology/die_cpus", mask);
      if (around->type == HWLOC_OBJ_GROUP) {
        devices_.write_cpu(number, "topology/cluster_cpus", mask);
      }
      if (around->type == HWLOC_OBJ_PACKAGE) {
        devices_.write_cpu(number, "topology/package_cpus", mask);
      }
      if (hwloc_obj_type_is_cache(around->type) != 0) {
        const std::string folder = fmt::format("cache/index{}/", caches++);
        devices_.write_cpu(number, folder + "shared_cpu_map", mask);
        devices_.write_cpu(number, folder + "level", std::to_string(around->attr->cache.depth));
        devices_.write_cpu(number, folder + "type", "Unified");
      }
    }
  }

  void draw_memories() const {
    const int count = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_NUMANODE);
    devices_.write("system/node/online", fmt::format("0-{}", count - 1));
    for (int i = 0; i < count; ++i) {
      devices_.write(fmt::format("system/node/node{}/cpumap", i),
                     mask_of(hwloc_get_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, i)->cpuset));
    }
  }

  hwloc_topology_t topology_ = nullptr;
  CpuSet all_;
  Devices devices_;
};

TEST_CASE("this node is as hwloc sees it") {
  const CpuSet allowed = read_allowed_cpus().cpus;
  CHECK(text_of(read_topology(allowed)) == text_of(testing::read_by_hwloc(allowed)));
}

TEST_CASE("made-up nodes are as hwloc sees them") {
  for (const char* description : {
           "pack:1 l3:1 core:4 pu:1",
           "pack:1 l3:1 l2:4 l1:1 core:1 pu:2",
           "pack:2 numa:1 l3:1 core:4 pu:1",
           "pack:2 numa:2 l3:2 core:2 pu:1",
           "pack:2 die:2 numa:1 l3:2 l2:2 core:2 pu:2",
           "pack:2 l3:1 group:4 l2:4 l1:1 core:1 pu:1",
           "numa:4 pack:1 l2:2 core:1 pu:1",
           "pack:2 numa:4 l3:2 l2:8 l1:1 core:1 pu:2",
           "pack:1 l3:1 core:2 pu:2(indexes=core:pu)",
           "pack:2 l3:1 core:2 pu:2(indexes=pack:core:pu)",
       }) {
    CAPTURE(description);
    const Node node(description);
    CHECK(text_of(node.read(node.all())) == text_of(node.described(node.all())));
  }
}

TEST_CASE("only allowed cores count, and a core counts with half its threads") {
  const Node node("pack:2 numa:1 l3:1 core:2 pu:2");
  CpuSet allowed;
  for (const int cpu : {1, 6, 7}) allowed.add(cpu);
  const Topology cores = node.read(allowed);
  REQUIRE(cores.size() == 2);
  CHECK(cores[0].cpus == std::vector{1});
  CHECK(cores[1].cpus == std::vector{6, 7});
  CHECK(cores[0].at.package == 0);
  CHECK(cores[1].at.package == 1);
}

// The speed of each of four cores.
std::vector<int> speeds_of(const Devices& devices) {
  CpuSet all;
  for (int cpu = 0; cpu < 4; ++cpu) all.add(cpu);
  std::vector<int> speeds;
  for (const Core& core : read_topology(all, devices.folder())) speeds.push_back(core.speed);
  return speeds;
}

TEST_CASE("kinds of cores: by name, by capacity, by clock") {
  const Node node("pack:1 core:4 pu:1");
  const Devices& devices = node.devices();
  CHECK(speeds_of(devices) == std::vector{0, 0, 0, 0});
  const auto write_each = [&](const char* name, std::vector<const char*> values) {
    for (int cpu = 0; cpu < 4; ++cpu)
      devices.write_cpu(cpu, name, values[static_cast<std::size_t>(cpu)]);
  };
  write_each("cpufreq/cpuinfo_max_freq", {"5100000", "5000000", "3300000", "3300000"});
  CHECK(speeds_of(devices) == std::vector{1, 1, 0, 0});
  write_each("cpu_capacity", {"230", "230", "600", "1024"});
  CHECK(speeds_of(devices) == std::vector{0, 0, 1, 2});
  devices.write("cpu_atom/cpus", "0-2");
  CHECK(speeds_of(devices) == std::vector{0, 0, 0, 1});
}

TEST_CASE("what is known of some cores only is not compared") {
  const Node node("pack:1 core:4 pu:1");
  node.devices().write_cpu(0, "cpufreq/cpuinfo_max_freq", "800000");
  CHECK(speeds_of(node.devices()) == std::vector{0, 0, 0, 0});
}

TEST_CASE("where the system tells nothing each allowed unit counts as a core") {
  CpuSet allowed;
  for (const int cpu : {2, 5}) allowed.add(cpu);
  const Topology cores = read_topology(allowed, "/nonexistent");
  REQUIRE(cores.size() == 2);
  CHECK(cores[1].cpus == std::vector{5});
  CHECK(cores[1].at.core == 1);
  CHECK(cores[1].at.package == -1);
}

}  // namespace
}  // namespace atl::launcher
