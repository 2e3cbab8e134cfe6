// Where ranks are bound, as the launcher has written it into the job's memory,
// and how far they are from each other.
#pragma once

#include <compare>
#include <vector>

namespace atl {
class Communicator;
}

namespace atl::topo {

// Indices of what the rank's core lies in, outermost first; -1: unknown.
struct Place {
  int package = -1;
  int numa = -1;
  int l3cache = -1;
  int core = -1;

  auto operator<=>(const Place&) const = default;
};

using Places = std::vector<Place>;  // by rank

inline constexpr int kLevels = 4;

// How many of the levels, from outside, are the same: 4 on one core, 0 in
// different packages.
int shared_levels(const Place& one, const Place& other);

// Of messages between them, in levels to cross: 0 on one core.
inline int distance(const Place& one, const Place& other) {
  return kLevels - shared_levels(one, other);
}

// All that is known of the first `count` ranks of a communicator.
Places places_of(const Communicator& comm, int count);

}  // namespace atl::topo
