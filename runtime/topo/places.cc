#include "runtime/topo/places.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "runtime/comm/communicator.h"
#include "runtime/core/process.h"

namespace atl::topo {

int shared_levels(const Place& one, const Place& other) {
  if (one.package != other.package) return 0;
  if (one.numa != other.numa) return 1;
  if (one.l3cache != other.l3cache) return 2;
  if (one.core != other.core) return 3;
  return kLevels;
}

namespace {

struct Machine {
  int packages, numas, caches, cores;  // of the whole, and then of what is around them
};

std::optional<Machine> pretended_machine() {
  const char* text = std::getenv("ATOLL_PLACES");
  Machine machine{};
  if (text == nullptr || std::sscanf(text, "%dx%dx%dx%d", &machine.packages, &machine.numas,
                                     &machine.caches, &machine.cores) != 4) {
    return std::nullopt;
  }
  const int least = std::min({machine.packages, machine.numas, machine.caches, machine.cores});
  return least < 1 ? std::nullopt : std::optional(machine);
}

Place place_in(const Machine& machine, std::uint32_t world_rank) {
  auto rest = static_cast<int>(world_rank);
  const auto next = [&](int units) {
    const int unit = rest % units;
    rest /= units;
    return unit;
  };
  Place place;
  place.package = next(machine.packages);
  place.numa = place.package * machine.numas + next(machine.numas);
  place.l3cache = place.numa * machine.caches + next(machine.caches);
  place.core = place.l3cache * machine.cores + next(machine.cores);
  return place;
}

}  // namespace

Places places_of(const Communicator& comm, int count) {
  static const std::optional<Machine> pretended = pretended_machine();
  Places places;
  for (int rank = 0; rank < count; ++rank) {
    const std::uint32_t world = comm.world_rank(rank);
    const shm::Placement& where = process.segment->slot(world).placement;
    places.push_back(pretended ? place_in(*pretended, world)
                               : Place{where.package, where.numa, where.l3cache, where.core});
  }
  return places;
}

}  // namespace atl::topo
