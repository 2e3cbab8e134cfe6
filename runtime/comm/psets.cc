#include "runtime/comm/psets.h"

#include <algorithm>
#include <cctype>

#include "runtime/comm/hardware.h"
#include "runtime/core/process.h"

namespace atl {
namespace {

constexpr std::string_view kWorld = "mpi://WORLD";
constexpr std::string_view kSelf = "mpi://SELF";

// Names are compared without regard to case.
bool same_name(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

// The processes of the world that are confined to the same instance as this one.
RankMap together_at(const HardwareKind& kind) {
  std::vector<std::uint32_t> ranks;
  const int own = instance_of(kind, process.rank);
  for (std::uint32_t rank = 0; rank < process.size; ++rank) {
    if (instance_of(kind, rank) == own) ranks.push_back(rank);
  }
  return RankMap::list(ranks);
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

std::optional<RankMap> pset_members(std::string_view name) {
  if (same_name(name, kWorld)) return RankMap::range(0, 1, static_cast<int>(process.size));
  if (same_name(name, kSelf)) return RankMap::range(process.rank, 1, 1);
  for (const HardwareKind& kind : shm::kHardwareKinds) {
    if (!same_name(name, uri_of(kind))) continue;
    return instance_of(kind, process.rank) < 0 ? std::nullopt : std::optional(together_at(kind));
  }
  return std::nullopt;
}

}  // namespace atl
