#include "runtime/comm/psets.h"

#include "runtime/comm/hardware.h"
#include "runtime/core/process.h"

namespace atl {
namespace {

constexpr std::string_view kWorld = "mpi://WORLD";
constexpr std::string_view kSelf = "mpi://SELF";

// The processes of the world that are where this one is.
Members together_at(const HardwareKind& kind) {
  std::vector<std::uint32_t> ranks;
  const int own = instance_of(kind, process.rank);
  for (std::uint32_t rank = 0; rank < process.size; ++rank) {
    if (instance_of(kind, rank) == own) ranks.push_back(rank);
  }
  return Members::list(ranks);
}

}  // namespace

const std::vector<std::string>& pset_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found{std::string(kWorld), std::string(kSelf)};
    for (const HardwareKind& kind : shm::kHardwareKinds) {
      if (instance_of(kind, process.rank) >= 0) found.push_back(uri_of(kind));
    }
    return found;
  }();
  return names;
}

std::optional<Members> pset_members(std::string_view name) {
  if (name == kWorld) return Members::range(0, 1, static_cast<int>(process.size));
  if (name == kSelf) return Members::range(process.rank, 1, 1);
  const HardwareKind* kind = find_hardware(name);
  if (kind == nullptr || name != uri_of(*kind)) return std::nullopt;
  if (instance_of(*kind, process.rank) < 0) return std::nullopt;
  return together_at(*kind);
}

}  // namespace atl
