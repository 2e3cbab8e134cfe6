#include "runtime/topo/locations.h"

#include "runtime/comm/communicator.h"
#include "runtime/comm/hardware.h"

namespace atl::topo {
namespace {

// Outermost first.
constexpr std::int32_t shm::Location::*kLevelIndex[kLevels] = {
    &shm::Location::package, &shm::Location::numa, &shm::Location::l3cache, &shm::Location::core};

}  // namespace

int shared_levels(const shm::Location& one, const shm::Location& other) {
  int level = 0;
  while (level < kLevels && one.*kLevelIndex[level] == other.*kLevelIndex[level]) ++level;
  return level;
}

bool precedes(const shm::Location& one, const shm::Location& other) {
  const int level = shared_levels(one, other);
  return level < kLevels && one.*kLevelIndex[level] < other.*kLevelIndex[level];
}

Locations locations_of(const Communicator& comm, int count) {
  Locations locations;
  for (int rank = 0; rank < count; ++rank) {
    locations.push_back(location_of(comm.world_rank(rank)));
  }
  return locations;
}

}  // namespace atl::topo
