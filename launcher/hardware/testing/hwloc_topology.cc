#include "launcher/hardware/testing/hwloc_topology.h"

#include <hwloc.h>

#include <cstdint>
#include <cstdlib>

namespace atl::launcher::testing {
namespace {

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

// Only what Core shows, as Linux says it.
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

}  // namespace

Topology describe_topology(hwloc_topology* loaded, const CpuSet& allowed) {
  Topology topology;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(loaded, HWLOC_OBJ_CORE, object)) != nullptr) {
    Core core = describe_core(loaded, object, allowed);
    if (!core.cpus.empty()) topology.push_back(core);
  }
  return topology;
}

Topology read_by_hwloc(const CpuSet& allowed, const char* root) {
  if (root != nullptr) ::setenv("HWLOC_FSROOT", root, 1);
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  ask_for_little(topology);
  Topology read;
  if (hwloc_topology_load(topology) == 0) read = describe_topology(topology, allowed);
  hwloc_topology_destroy(topology);
  if (root != nullptr) ::unsetenv("HWLOC_FSROOT");
  return read;
}

}  // namespace atl::launcher::testing
