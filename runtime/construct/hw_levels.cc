#include "runtime/construct/hw_levels.h"

#include "runtime/core/process.h"
#include "runtime/objects/info.h"

namespace atl::construct {
namespace {

constexpr HwLevel kLevels[] = {
    {"Package", &shm::Placement::package},
    {"NUMANode", &shm::Placement::numa},
    {"L3Cache", &shm::Placement::l3cache},
    {"Core", &shm::Placement::core},
};

}  // namespace

int HwLevel::instance_of(std::uint32_t world_rank) const {
  return process.segment->slot(world_rank).placement.*instance;
}

std::span<const HwLevel> hw_levels() { return kLevels; }

const HwLevel* find_hw_level(std::string_view name) {
  constexpr std::string_view kScheme = "hwloc://";
  if (name.starts_with(kScheme)) name.remove_prefix(kScheme.size());
  for (const HwLevel& level : kLevels) {
    if (name == level.type) return &level;
  }
  return nullptr;
}

Fault get_hw_resource_info(MPI_Info* hw_info) {
  Info info;
  for (const HwLevel& level : kLevels) {
    info.set(level.uri(), level.instance_of(process.rank) >= 0 ? "true" : "false");
  }
  *hw_info = infos.create(std::move(info));
  return {};
}

}  // namespace atl::construct
