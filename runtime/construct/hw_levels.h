// Kinds of hardware that a rank may be confined to, as the launcher found them
// with hwloc and wrote them into the job's memory.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <string_view>

#include "runtime/core/fault.h"
#include "shm/job.h"

namespace atl::construct {

struct HwLevel {
  const char* type;  // as hwloc calls it
  std::int32_t shm::Placement::*instance;

  // Which one a rank of the job is confined to, -1: none.
  int instance_of(std::uint32_t world_rank) const;
  std::string uri() const { return std::string("hwloc://") + type; }
};

// Larger ones first.
std::span<const HwLevel> hw_levels();

// By its type, with or without "hwloc://"; null if there is none.
const HwLevel* find_hw_level(std::string_view name);

// MPI 5.0, 9.1.2.
Fault get_hw_resource_info(MPI_Info* hw_info);

}  // namespace atl::construct
