#include "runtime/comm/hardware.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "runtime/core/process.h"
#include "runtime/objects/info.h"

namespace atl {
namespace {

constexpr std::string_view kScheme = "hwloc://";

struct Machine {
  int packages, numas, caches, cores;  // each per unit of the one before
};

std::optional<Machine> pretended_machine() {
  const char* text = ::secure_getenv("ATOLL_PLACES");
  Machine machine{};
  if (text == nullptr || std::sscanf(text, "%dx%dx%dx%d", &machine.packages, &machine.numas,
                                     &machine.caches, &machine.cores) != 4) {
    return std::nullopt;
  }
  const int least = std::min({machine.packages, machine.numas, machine.caches, machine.cores});
  return least < 1 ? std::nullopt : std::optional(machine);
}

shm::Location location_in(const Machine& machine, std::uint32_t world_rank) {
  auto rest = static_cast<int>(world_rank);
  const auto next = [&](int units) {
    const int unit = rest % units;
    rest /= units;
    return unit;
  };
  shm::Location location;
  location.package = next(machine.packages);
  location.numa = location.package * machine.numas + next(machine.numas);
  location.l3cache = location.numa * machine.caches + next(machine.caches);
  location.core = location.l3cache * machine.cores + next(machine.cores);
  return location;
}

}  // namespace

shm::Location location_of(std::uint32_t world_rank) {
  static const std::optional<Machine> pretended = pretended_machine();
  return pretended ? location_in(*pretended, world_rank)
                   : process.segment->slot(world_rank).location;
}

std::string uri_of(const HardwareKind& kind) { return std::string(kScheme) + kind.name; }

const HardwareKind* find_hardware(std::string_view name) {
  if (name.starts_with(kScheme)) name.remove_prefix(kScheme.size());
  for (const HardwareKind& kind : shm::kHardwareKinds) {
    if (name == kind.name) return &kind;
  }
  return nullptr;
}

namespace comm {

Error get_hw_resource_info(MPI_Info* hw_info) {
  Info info;
  for (const HardwareKind& kind : shm::kHardwareKinds) {
    info.set(uri_of(kind), instance_of(kind, process.rank) >= 0 ? "true" : "false");
  }
  *hw_info = infos.create(std::move(info));
  return {};
}

}  // namespace comm
}  // namespace atl
