#include "launcher/placement.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace atl::launcher {
namespace {

// A block of units, by position: where a rank sits. Width 0: no unit of its
// own, only a position.
struct Seat {
  std::size_t group = 0;
  std::size_t first = 0;
  std::size_t width = 0;
};

// How ranks are laid over the units of a group.
struct Division {
  std::size_t wanted_width = 0;  // PE=n, 0 = an equal share
  bool packed = false;           // side by side, rather than spread over the group

  std::size_t least_width() const { return std::max<std::size_t>(wanted_width, 1); }
};

bool is_wide(BindTo bind) {
  return bind == BindTo::l3cache || bind == BindTo::numa || bind == BindTo::package;
}

// The units: cores, or single hardware threads that know their core. The fast
// ones first.
Topology units_of(const Topology& topology, BindTo bind) {
  Topology units;
  for (const Core& core : usable_cores(topology)) {
    if (bind != BindTo::hwthread) {
      units.push_back(core);
      continue;
    }
    for (const int cpu : core.cpus) {
      units.push_back(core);
      units.back().cpus = {cpu};
    }
  }
  std::stable_sort(units.begin(), units.end(),
                   [](const Core& a, const Core& b) { return a.speed > b.speed; });
  return units;
}

int index_of(const Core& core, MapBy object) {
  switch (object) {
    case MapBy::l3cache: return core.at.l3cache;
    case MapBy::numa: return core.at.numa;
    case MapBy::package: return core.at.package;
    default: return -1;
  }
}

// The units of each object that ranks go round, in order of appearance.
std::vector<Topology> groups_of(const Topology& units, MapBy object) {
  std::vector<Topology> groups;
  std::vector<int> indices;
  for (const Core& unit : units) {
    const int index = index_of(unit, object);
    const auto known = std::find(indices.begin(), indices.end(), index);
    const auto group = static_cast<std::size_t>(known - indices.begin());
    if (known == indices.end()) {
      indices.push_back(index);
      groups.emplace_back();
    }
    groups[group].push_back(unit);
  }
  return groups;
}

// How many of `units`, sorted by speed, are used for `needed` of them: all of
// one kind, and of the next kinds only when they are needed. False in `alike`
// when more than one kind is used.
std::size_t fast_enough(const Topology& units, std::size_t needed, bool& alike) {
  std::size_t used = 0;
  alike = true;
  while (used < units.size() && used < needed) {
    alike = used == 0;
    const int speed = units[used].speed;
    while (used < units.size() && units[used].speed == speed) ++used;
  }
  return used;
}

// Seats for `ranks` ranks in one group.
std::vector<Seat> divide(const Topology& units, std::size_t ranks, const Division& division) {
  const std::size_t least = division.least_width();
  bool alike = true;
  const std::size_t used = fast_enough(units, ranks * least, alike);
  const bool fits = ranks * least <= units.size();
  std::vector<Seat> seats;
  for (std::size_t i = 0; i < ranks; ++i) {
    Seat seat;
    if (!fits) {
      seat.first = i * units.size() / ranks;
    } else if (division.packed || !alike) {
      // On cores of different kinds equal blocks would not be equal: none is wider
      // than it must be, and the fast ones are used first.
      seat.first = i * least;
      seat.width = least;
    } else {
      seat.first = i * used / ranks;
      seat.width = division.wanted_width != 0 ? division.wanted_width : used / ranks;
    }
    seats.push_back(seat);
  }
  return seats;
}

// The group of each rank: round and round, passing by what is full. Nothing
// when all are full before every rank has one.
std::optional<std::vector<std::size_t>> go_round(const std::vector<Topology>& groups,
                                                 std::size_t ranks, std::size_t width) {
  std::vector<std::size_t> room;
  for (const Topology& group : groups) room.push_back(group.size() / width);
  std::vector<std::size_t> chosen;
  std::size_t next = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::size_t tried = 0;
    while (tried < groups.size() && room[next % groups.size()] == 0) {
      ++next;
      ++tried;
    }
    if (tried == groups.size()) return std::nullopt;
    --room[next % groups.size()];
    chosen.push_back(next++ % groups.size());
  }
  return chosen;
}

std::vector<std::size_t> go_round_regardless(std::size_t groups, std::size_t ranks) {
  std::vector<std::size_t> chosen;
  for (std::size_t rank = 0; rank < ranks; ++rank) chosen.push_back(rank % groups);
  return chosen;
}

// Every rank's seat, in order of rank.
std::vector<Seat> seat_ranks(const std::vector<Topology>& groups,
                             const std::vector<std::size_t>& group_of_rank,
                             const Division& division) {
  std::vector<Seat> seats(group_of_rank.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::vector<std::size_t> members;
    for (std::size_t rank = 0; rank < group_of_rank.size(); ++rank) {
      if (group_of_rank[rank] == group) members.push_back(rank);
    }
    const std::vector<Seat> divided = divide(groups[group], members.size(), division);
    for (std::size_t i = 0; i < members.size(); ++i) {
      seats[members[i]] = divided[i];
      seats[members[i]].group = group;
    }
  }
  return seats;
}

// True when binding to `bind` gives a rank at `seat` the processing units of
// `core`. A node without the object is one object.
bool shares_object(const Core& core, const Core& seat, BindTo bind) {
  switch (bind) {
    case BindTo::l3cache:
      if (seat.at.l3cache >= 0) return core.at.l3cache == seat.at.l3cache;
      [[fallthrough]];
    case BindTo::numa:
      if (seat.at.numa >= 0) return core.at.numa == seat.at.numa;
      [[fallthrough]];
    default: return core.at.package == seat.at.package;
  }
}

// Where both are.
shm::Location common(const shm::Location& one, const shm::Location& other) {
  shm::Location both = one;
  for (const shm::HardwareKind& kind : shm::kHardwareKinds) {
    if (one.*kind.instance != other.*kind.instance) both.*kind.instance = -1;
  }
  return both;
}

// Binds to `cores`.
RankPlace bind_to(const Topology& cores) {
  RankPlace place;
  if (!cores.empty()) place.where.at = cores.front().at;
  for (const Core& core : cores) {
    for (const int cpu : core.cpus) place.cpus.add(cpu);
    place.where.at = common(place.where.at, core.at);
  }
  const int count = place.cpus.count();
  place.where.cpus = static_cast<std::uint32_t>(count);
  if (count == 1) place.where.at.pu = cores.front().cpus.front();
  return place;
}

RankPlace place_at(const Seat& seat, const Topology& group, const Topology& units, BindTo bind) {
  const auto first = group.begin() + static_cast<std::ptrdiff_t>(seat.first);
  const auto width = static_cast<std::ptrdiff_t>(
      is_wide(bind) ? std::max<std::size_t>(seat.width, 1) : seat.width);
  const Topology own(first, first + width);
  if (!is_wide(bind)) return bind_to(own);
  Topology reached;
  for (const Core& core : units) {
    if (std::any_of(own.begin(), own.end(),
                    [&](const Core& mine) { return shares_object(core, mine, bind); })) {
      reached.push_back(core);
    }
  }
  return bind_to(reached);
}

}  // namespace

bool placement_needs_topology(const PlacementOptions& options, int ranks, int cpus, int quota) {
  if (ranks == 1 && options == PlacementOptions{}) return false;
  // There are at most as many cores as processing units.
  return is_wide(options.bind) || !cores_are_shared(cpus, ranks, quota);
}

bool cores_are_shared(int cores, int ranks, int quota) {
  return ranks > (quota > 0 ? std::min(cores, quota) : cores);
}

std::vector<RankPlace> place_ranks(const Topology& topology, const PlacementOptions& options,
                                   int ranks, int quota) {
  const std::vector<RankPlace> unbound(static_cast<std::size_t>(ranks));
  const Topology units = units_of(topology, options.bind);
  const bool alone = ranks == 1 && options == PlacementOptions{};
  if (alone || options.bind == BindTo::none || units.empty()) return unbound;
  const bool wide = is_wide(options.bind);
  if (!wide && cores_are_shared(static_cast<int>(units.size()), ranks, quota)) return unbound;

  const bool one_core = options.bind == BindTo::core || options.bind == BindTo::hwthread;
  Division division;
  division.wanted_width = static_cast<std::size_t>(options.cores_per_rank);
  division.packed = options.map == MapBy::core || one_core;

  const std::vector<Topology> groups = groups_of(units, options.map);
  const auto count = static_cast<std::size_t>(ranks);
  auto chosen = go_round(groups, count, division.least_width());
  if (!chosen && !wide) return unbound;
  if (!chosen) chosen = go_round_regardless(groups.size(), count);

  std::vector<RankPlace> places;
  for (const Seat& seat : seat_ranks(groups, *chosen, division)) {
    places.push_back(place_at(seat, groups[seat.group], units, options.bind));
  }
  return places;
}

}  // namespace atl::launcher
