#include "launcher/topology.h"

#include <hwloc.h>

#include <cstdlib>

namespace atl::launcher {
namespace {

// hwloc loads its plugins (GPUs and other devices) as soon as it starts, which
// takes longer than all the rest. Placement needs none of them.
class WithoutPlugins {
 public:
  WithoutPlugins() : active_(std::getenv(kVariable) == nullptr) {
    if (active_) ::setenv(kVariable, "/nonexistent", 1);
  }
  ~WithoutPlugins() {
    if (active_) ::unsetenv(kVariable);
  }
  WithoutPlugins(const WithoutPlugins&) = delete;
  WithoutPlugins& operator=(const WithoutPlugins&) = delete;

 private:
  static constexpr const char* kVariable = "HWLOC_PLUGINS_PATH";
  bool active_;  // the user has not set it
};

// Kinds that contain a core. Memory does not contain it in hwloc's tree.
struct Kind {
  hwloc_obj_type_t type;
  std::int32_t shm::Location::*index;
};
constexpr Kind kKinds[] = {
    {HWLOC_OBJ_PACKAGE, &shm::Location::package}, {HWLOC_OBJ_DIE, &shm::Location::die},
    {HWLOC_OBJ_GROUP, &shm::Location::group},     {HWLOC_OBJ_L5CACHE, &shm::Location::l5cache},
    {HWLOC_OBJ_L4CACHE, &shm::Location::l4cache}, {HWLOC_OBJ_L3CACHE, &shm::Location::l3cache},
    {HWLOC_OBJ_L2CACHE, &shm::Location::l2cache}, {HWLOC_OBJ_L1CACHE, &shm::Location::l1cache},
};

// Only what Core shows. The x86 component is left out because it moves this
// process to every processing unit in turn; Linux knows as much.
void ask_for_little(hwloc_topology_t topology) {
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  for (const Kind& kind : kKinds) {
    // Groups that say nothing new cannot be kept.
    hwloc_topology_set_type_filter(topology, kind.type,
                                   kind.type == HWLOC_OBJ_GROUP ? HWLOC_TYPE_FILTER_KEEP_STRUCTURE
                                                                : HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_flags(topology,
                           HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
}

int index_of(hwloc_obj_t object) {
  return object != nullptr ? static_cast<int>(object->logical_index) : -1;
}

// The smallest memory that holds the core; the first of equals.
int numa_of(hwloc_topology_t topology, hwloc_obj_t core) {
  int found = -1;
  int found_weight = 0;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    if (!hwloc_bitmap_isincluded(core->cpuset, node->cpuset)) continue;
    const int weight = hwloc_bitmap_weight(node->cpuset);
    if (found >= 0 && weight >= found_weight) continue;
    found = index_of(node);
    found_weight = weight;
  }
  return found;
}

// On hybrid chips hwloc ranks the kinds of cores, the most economical first.
int speed_of(hwloc_topology_t topology, hwloc_obj_t core) {
  const int kind = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
  int efficiency = -1;
  if (kind < 0 || hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr,
                                          &efficiency, nullptr, nullptr, 0) != 0) {
    return 0;
  }
  return efficiency < 0 ? 0 : efficiency;
}

Core describe_core(hwloc_topology_t topology, hwloc_obj_t object, const CpuSet& allowed) {
  Core core;
  core.at.core = index_of(object);
  core.at.numa = numa_of(topology, object);
  for (const Kind& kind : kKinds) {
    core.at.*kind.index = index_of(hwloc_get_ancestor_obj_by_type(topology, kind.type, object));
  }
  core.speed = speed_of(topology, object);
  int cpu = -1;
  while ((cpu = hwloc_bitmap_next(object->cpuset, cpu)) != -1) {
    if (allowed.contains(cpu)) core.cpus.push_back(cpu);
  }
  return core;
}

// Where the system tells nothing about cores, each allowed unit counts as one.
Topology without_cores(const CpuSet& allowed) {
  Topology topology;
  for (const int cpu : allowed.cpus()) {
    Core core;
    core.at.core = static_cast<int>(topology.size());
    core.cpus = {cpu};
    topology.push_back(core);
  }
  return topology;
}

}  // namespace

Topology describe_topology(hwloc_topology* loaded, const CpuSet& allowed) {
  Topology topology;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(loaded, HWLOC_OBJ_CORE, object)) != nullptr) {
    topology.push_back(describe_core(loaded, object, allowed));
  }
  return usable_cores(topology).empty() ? without_cores(allowed) : topology;
}

Topology read_topology(const CpuSet& allowed) {
  const WithoutPlugins guard;
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return without_cores(allowed);
  ask_for_little(topology);
  const bool loaded = hwloc_topology_load(topology) == 0;
  Topology result = loaded ? describe_topology(topology, allowed) : without_cores(allowed);
  hwloc_topology_destroy(topology);
  return result;
}

Topology usable_cores(const Topology& topology) {
  Topology usable;
  for (const Core& core : topology) {
    if (!core.cpus.empty()) usable.push_back(core);
  }
  return usable;
}

}  // namespace atl::launcher
