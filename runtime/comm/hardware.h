// The hardware that ranks may be confined to, as the launcher found it with hwloc and wrote it to
// the segment.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/core/error.h"
#include "shm/location.h"

namespace atl {

using shm::HardwareKind;

// Where a rank of the job is bound. The variable ATOLL_PLACES=2x1x4x8 simulates a machine of 2
// packages with 1 NUMA node each, with 4 L3 caches each, with 8 cores each. It distributes the
// ranks of the job round-robin over the packages, then over the NUMA nodes, and so on: for tests,
// and to see how a program behaves on another machine.
shm::Location location_of(std::uint32_t world_rank);

// The instance of a kind to which a rank of the job is confined; negative: none.
inline int instance_of(const HardwareKind& kind, std::uint32_t world_rank) {
  return location_of(world_rank).*kind.instance;
}

// "hwloc://NUMANode": the standard's way to name a kind (MPI 5.0, 9.1.2).
std::string uri_of(const HardwareKind& kind);

// Finds a kind by its URI or by hwloc's name alone; null if there is none.
const HardwareKind* find_hardware(std::string_view name);

namespace comm {

// MPI 5.0, 9.1.2.
Error get_hw_resource_info(MPI_Info* hw_info);

}  // namespace comm
}  // namespace atl
