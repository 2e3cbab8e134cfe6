#include "launcher/hardware/topology.h"

#include <hwloc.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

// Kinds of hardware that contain cores. Memory does not: hwloc attaches it beside them.
struct Container {
  hwloc_obj_type_t type;
  std::int32_t shm::Location::*index;
};
constexpr Container kContainers[] = {
    {HWLOC_OBJ_PACKAGE, &shm::Location::package}, {HWLOC_OBJ_DIE, &shm::Location::die},
    {HWLOC_OBJ_GROUP, &shm::Location::group},     {HWLOC_OBJ_L5CACHE, &shm::Location::l5cache},
    {HWLOC_OBJ_L4CACHE, &shm::Location::l4cache}, {HWLOC_OBJ_L3CACHE, &shm::Location::l3cache},
    {HWLOC_OBJ_L2CACHE, &shm::Location::l2cache}, {HWLOC_OBJ_L1CACHE, &shm::Location::l1cache},
};

// The value of an environment variable; null where it is not set or empty.
const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// Where the topology is named, and whether that is a file or a synthetic description.
struct Source {
  const char* name = nullptr;  // null: hwloc's own discovery
  std::string text{};
  bool file = false;
};

Source source_of(const std::string& description) {
  if (!description.empty()) {
    std::error_code error;
    return {"--topology", description, std::filesystem::exists(description, error)};
  }
  // hwloc's order: a file has precedence.
  if (const char* file = setting("HWLOC_XMLFILE")) return {"HWLOC_XMLFILE", file, true};
  if (const char* text = setting("HWLOC_SYNTHETIC")) return {"HWLOC_SYNTHETIC", text, false};
  return {};
}

// Prevents hwloc from loading its plugins. They discover devices and read XML that other
// programs wrote, which is not needed here, and load OpenCL and X11: 8 ms in each mpiexec.
// hwloc offers no other way, and the ranks must not inherit the variable.
class WithoutPlugins {
 public:
  WithoutPlugins() {
    if (const char* value = std::getenv(kName)) before_ = value;
    ::setenv(kName, "", 1);
  }
  ~WithoutPlugins() {
    if (before_) {
      ::setenv(kName, before_->c_str(), 1);
    } else {
      ::unsetenv(kName);
    }
  }
  WithoutPlugins(const WithoutPlugins&) = delete;
  WithoutPlugins& operator=(const WithoutPlugins&) = delete;

 private:
  static constexpr const char* kName = "HWLOC_PLUGINS_PATH";
  std::optional<std::string> before_;
};

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;

Handle new_topology() {
  const WithoutPlugins only_what_is_built_in;
  hwloc_topology_t topology = nullptr;
  return Handle(hwloc_topology_init(&topology) == 0 ? topology : nullptr);
}

// Restricts discovery to the data in Core. With DONT_CHANGE_BINDING hwloc does not run on each
// processing unit for CPUID, where it would wait for other processes; Linux provides the same
// data.
void ask_for_little(hwloc_topology_t topology) {
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  for (const Container& kind : kContainers) {
    // hwloc does not support KEEP_ALL for groups.
    hwloc_topology_set_type_filter(topology, kind.type,
                                   kind.type == HWLOC_OBJ_GROUP ? HWLOC_TYPE_FILTER_KEEP_STRUCTURE
                                                                : HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                         HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                         HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
}

bool load(hwloc_topology_t topology, const Source& source) {
  if (topology == nullptr) return false;
  ask_for_little(topology);
  int error = 0;
  if (source.name != nullptr) {
    error = source.file ? hwloc_topology_set_xml(topology, source.text.c_str())
                        : hwloc_topology_set_synthetic(topology, source.text.c_str());
  }
  return error == 0 && hwloc_topology_load(topology) == 0;
}

int index_of(hwloc_obj_t object) {
  return object != nullptr ? static_cast<int>(object->logical_index) : -1;
}

// The memory nearest to the core, which is the one with the fewest cores; the first of equals.
int numa_of(hwloc_obj_t core) {
  hwloc_obj_t around = core;
  while (around != nullptr && around->memory_arity == 0) around = around->parent;
  return around != nullptr ? index_of(around->memory_first_child) : -1;
}

// hwloc sorts the kinds of cores of hybrid chips by efficiency value, the most economical
// first.
int speed_of(hwloc_topology_t topology, hwloc_obj_t core) {
  const int kind = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
  int efficiency = -1;
  if (kind < 0 || hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr,
                                          &efficiency, nullptr, nullptr, 0) != 0) {
    return 0;
  }
  return efficiency < 0 ? 0 : efficiency;
}

// A core without its processing units.
Core describe(hwloc_topology_t topology, hwloc_obj_t object) {
  Core core;
  core.at.core = index_of(object);
  core.at.numa = numa_of(object);
  for (const Container& kind : kContainers) {
    core.at.*kind.index = index_of(hwloc_get_ancestor_obj_by_type(topology, kind.type, object));
  }
  core.speed = speed_of(topology, object);
  return core;
}

CpuSet all_cpus(hwloc_topology_t topology) {
  CpuSet all;
  hwloc_obj_t pu = nullptr;
  while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr) {
    all.add(static_cast<int>(pu->os_index));
  }
  return all;
}

// Where hwloc finds no cores, as in some virtual machines, each processing unit counts as a
// core.
Topology cores_of(hwloc_topology_t topology, const CpuSet& allowed) {
  Topology cores;
  hwloc_obj_t last = nullptr;
  hwloc_obj_t pu = nullptr;
  while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr) {
    const int cpu = static_cast<int>(pu->os_index);
    if (!allowed.contains(cpu)) continue;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    if (core == nullptr) core = pu;
    if (core != last) cores.push_back(describe(topology, core));
    cores.back().cpus.push_back(cpu);
    last = core;
  }
  return cores;
}

std::string explain(const Source& source) {
  if (source.name == nullptr) return "hwloc cannot find out what this machine is made of";
  return fmt::format("{}: '{}' {}", source.name, source.text,
                     source.file ? "cannot be read as a topology in hwloc's XML format"
                                 : "is neither a file nor a synthetic topology of hwloc, such as "
                                   "'package:2 core:4 pu:2'");
}

}  // namespace

bool names_topology(const std::string& description) {
  return source_of(description).name != nullptr;
}

std::variant<Machine, std::string> read_machine(const std::string& description,
                                                const CpuSet& allowed) {
  const Source source = source_of(description);
  const Handle topology = new_topology();
  if (!load(topology.get(), source)) return explain(source);
  Machine machine;
  if (hwloc_topology_is_thissystem(topology.get()) == 0) {
    machine.named = source.name != nullptr ? source.name : "the environment";
  }
  machine.allowed = machine.here() ? allowed : all_cpus(topology.get());
  machine.cores = cores_of(topology.get(), machine.allowed);
  return machine;
}

}  // namespace atl::launcher
