// Where ranks are bound, as the launcher has written it into the segment, and their distances.
#pragma once

#include <vector>

#include "shm/location.h"

namespace atl {
class Communicator;
}

namespace atl::topo {

using Locations = std::vector<shm::Location>;  // by rank

// The levels that count for placing ranks: package, NUMA node, third-level cache, core.
inline constexpr int kLevels = 4;

// The number of levels, from the outermost on, that are the same: 4 on one core, 0 in different
// packages.
int shared_levels(const shm::Location& one, const shm::Location& other);

// Whether `one` comes before `other` when ranks are sorted level by level.
bool precedes(const shm::Location& one, const shm::Location& other);

// The number of levels that a message between them crosses: 0 on one core.
inline int distance(const shm::Location& one, const shm::Location& other) {
  return kLevels - shared_levels(one, other);
}

// The locations of the first `count` ranks of a communicator, as far as known.
Locations locations_of(const Communicator& comm, int count);

}  // namespace atl::topo
