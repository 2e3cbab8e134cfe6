// Hardware that ranks may be confined to, as the launcher found it with hwloc and
// wrote it into the job's memory.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/core/fault.h"
#include "shm/location.h"

namespace atl {

using shm::HardwareKind;

// Where a rank of the job is bound. The variable ATOLL_PLACES=2x1x4x8 pretends a
// machine of 2 packages with 1 NUMA node each, with 4 L3 caches each, with 8 cores
// each, on which the ranks of the job go round the packages, then round the NUMA
// nodes, and so on: for tests, and to see what becomes of a program elsewhere.
shm::Location location_of(std::uint32_t world_rank);

// Which one of a kind a rank of the job is confined to; negative: none.
inline int instance_of(const HardwareKind& kind, std::uint32_t world_rank) {
  return location_of(world_rank).*kind.instance;
}

// "hwloc://NUMANode": the standard's way to name a kind (MPI 5.0, 9.1.2).
std::string uri_of(const HardwareKind& kind);

// By its URI, or by hwloc's name alone; null if there is none.
const HardwareKind* find_hardware(std::string_view name);

namespace comm {

// MPI 5.0, 9.1.2.
Fault get_hw_resource_info(MPI_Info* hw_info);

}  // namespace comm
}  // namespace atl
