#include "runtime/topo/places.h"

#include "runtime/comm/communicator.h"
#include "runtime/comm/hardware.h"

namespace atl::topo {

int shared_levels(const Place& one, const Place& other) {
  if (one.package != other.package) return 0;
  if (one.numa != other.numa) return 1;
  if (one.l3cache != other.l3cache) return 2;
  if (one.core != other.core) return 3;
  return kLevels;
}

Places places_of(const Communicator& comm, int count) {
  Places places;
  for (int rank = 0; rank < count; ++rank) {
    const shm::Location at = location_of(comm.world_rank(rank));
    places.push_back({at.package, at.numa, at.l3cache, at.core});
  }
  return places;
}

}  // namespace atl::topo
