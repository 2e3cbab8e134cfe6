#include "launcher/placement/placement.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace atl::launcher {
namespace {

// A rank's block of units, by position. Width 0: the rank has no unit of its own, only a
// position.
struct Seat {
  std::size_t group = 0;
  std::size_t first = 0;
  std::size_t width = 0;
};

// How the units of a group are divided among ranks.
struct Division {
  std::size_t wanted_width = 0;  // PE=n, 0 = an equal share
  std::size_t threads = 1;       // per rank, where PE=n is not given
  bool packed = false;           // consecutive blocks, instead of spread over the group

  std::size_t least_width() const { return wanted_width != 0 ? wanted_width : threads; }
};

bool is_wide(BindTo bind) {
  return bind == BindTo::l2cache || bind == BindTo::l3cache || bind == BindTo::numa ||
         bind == BindTo::package;
}

// The cores of the wanted kind.
Topology cores_of_kind(const Topology& topology, CpuKind kind) {
  Topology cores = topology;
  int fastest = 0;
  for (const Core& core : cores) fastest = std::max(fastest, core.speed);
  if (kind == CpuKind::fast) {
    std::erase_if(cores, [&](const Core& core) { return core.speed < fastest; });
  }
  if (kind == CpuKind::all) {
    for (Core& core : cores) core.speed = 0;
  }
  return cores;
}

// The units: cores, or single hardware threads with the location of their core. Fast units
// first.
Topology units_of(const Topology& cores, BindTo bind) {
  Topology units;
  for (const Core& core : cores) {
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
    case MapBy::l2cache: return core.at.l2cache;
    case MapBy::l3cache: return core.at.l3cache;
    case MapBy::numa: return core.at.numa;
    case MapBy::package: return core.at.package;
    default: return -1;
  }
}

// The units of each object of --map-by, in order of appearance.
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

// How many of `units`, sorted by speed, are used if `needed` are required: all units of
// the fastest kind, and slower kinds only as far as needed. `alike` becomes false when more
// than one kind is used.
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
      // On cores of different speed blocks of equal size would not be equally fast: no block is
      // wider than necessary, and fast cores are used first.
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

// The group of each rank, assigned round-robin, skipping full groups. Nothing when all
// groups are full before every rank has one.
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

// The same without a limit on the ranks of a group: `each` consecutive ranks per group.
std::vector<std::size_t> go_round_regardless(std::size_t groups, std::size_t ranks,
                                             std::size_t each) {
  std::vector<std::size_t> chosen;
  for (std::size_t rank = 0; rank < ranks; ++rank) chosen.push_back(rank / each % groups);
  return chosen;
}

// Whether every group has enough units for its ranks.
bool fit(const std::vector<Topology>& groups, const std::vector<std::size_t>& group_of_rank,
         std::size_t width) {
  std::vector<std::size_t> needed(groups.size());
  for (const std::size_t group : group_of_rank) needed[group] += width;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (needed[group] > groups[group].size()) return false;
  }
  return true;
}

// The group of each rank. Nothing when the ranks do not fit, unless wide binding lets them
// share units.
std::optional<std::vector<std::size_t>> choose_groups(const std::vector<Topology>& groups,
                                                      std::size_t ranks, std::size_t width,
                                                      const PlacementOptions& options) {
  const bool must_fit = !is_wide(options.bind);
  if (options.ranks_per_object > 0) {
    auto chosen = go_round_regardless(groups.size(), ranks,
                                      static_cast<std::size_t>(options.ranks_per_object));
    if (must_fit && !fit(groups, chosen, width)) return std::nullopt;
    return chosen;
  }
  auto chosen = go_round(groups, ranks, width);
  if (!chosen && !must_fit) chosen = go_round_regardless(groups.size(), ranks, 1);
  if (chosen && options.rank_by_core) std::sort(chosen->begin(), chosen->end());
  return chosen;
}

// Every rank's seat, in order of rank.
std::vector<Seat> allocate_cpus(const std::vector<Topology>& groups,
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
    case BindTo::l2cache:
      if (seat.at.l2cache >= 0) return core.at.l2cache == seat.at.l2cache;
      [[fallthrough]];
    case BindTo::l3cache:
      if (seat.at.l3cache >= 0) return core.at.l3cache == seat.at.l3cache;
      [[fallthrough]];
    case BindTo::numa:
      if (seat.at.numa >= 0) return core.at.numa == seat.at.numa;
      [[fallthrough]];
    default: return core.at.package == seat.at.package;
  }
}

// The objects that contain both.
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
  if (!cores.empty()) place.at = cores.front().at;
  for (const Core& core : cores) {
    for (const int cpu : core.cpus) place.cpus.add(cpu);
    place.at = common(place.at, core.at);
  }
  if (place.cpus.count() == 1) place.at.pu = cores.front().cpus.front();
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

RankPlace bind_to_item(const Topology& cores, const std::vector<int>& item) {
  Topology own;
  for (Core core : cores) {
    std::erase_if(core.cpus,
                  [&](int cpu) { return std::find(item.begin(), item.end(), cpu) == item.end(); });
    if (!core.cpus.empty()) own.push_back(core);
  }
  return bind_to(own);
}

// The place of unbound ranks: empty, unless slow cores are excluded.
RankPlace anywhere(const Topology& topology, const Topology& cores) {
  if (cores.size() == topology.size()) return {};
  return bind_to(cores);
}

}  // namespace

bool placement_needs_topology(const PlacementOptions& options, int ranks, int cpus, int quota) {
  if (ranks == 1 && options == PlacementOptions{}) return false;
  if (options.bind == BindTo::none && options.kind == CpuKind::automatic) return false;
  if (options.bind == BindTo::list || options.kind == CpuKind::fast) return true;
  // There are at most as many cores as processing units.
  return is_wide(options.bind) || !cores_are_shared(cpus, ranks, quota);
}

bool cores_are_shared(int cores, int ranks, int quota) {
  return ranks > (quota > 0 ? std::min(cores, quota) : cores);
}

bool wants_own_cores(const PlacementOptions& options) {
  return options.bind == BindTo::automatic || options.bind == BindTo::core ||
         options.bind == BindTo::hwthread;
}

int ranks_on_all_objects(const Topology& topology, const PlacementOptions& options) {
  const Topology cores = cores_of_kind(topology, options.kind);
  const std::size_t objects = std::max<std::size_t>(groups_of(cores, options.map).size(), 1);
  return static_cast<int>(objects) * options.ranks_per_object;
}

std::vector<RankPlace> place_ranks(const Topology& topology, const PlacementOptions& options,
                                   int ranks, const Limits& limits) {
  const auto count = static_cast<std::size_t>(ranks);
  const Topology cores = cores_of_kind(topology, options.kind);
  std::vector<RankPlace> places(count, anywhere(topology, cores));
  if (options.bind == BindTo::list) {
    for (std::size_t rank = 0; rank < count; ++rank) {
      places[rank] = bind_to_item(cores, options.list[rank % options.list.size()]);
    }
    return places;
  }
  const Topology units = units_of(cores, options.bind);
  const bool alone = ranks == 1 && options == PlacementOptions{};
  if (alone || options.bind == BindTo::none || units.empty()) return places;
  const bool shared = cores_are_shared(static_cast<int>(units.size()), ranks, limits.quota);
  if (shared && !is_wide(options.bind)) return places;

  Division division;
  division.wanted_width = static_cast<std::size_t>(options.cores_per_rank);
  division.threads = static_cast<std::size_t>(std::max(limits.threads, 1));
  division.packed = options.map == MapBy::core || options.bind == BindTo::core ||
                    options.bind == BindTo::hwthread;
  const std::vector<Topology> groups = groups_of(units, options.map);
  const auto chosen = choose_groups(groups, count, division.least_width(), options);
  if (!chosen) return places;
  const std::vector<Seat> seats = allocate_cpus(groups, *chosen, division);
  for (std::size_t rank = 0; rank < count; ++rank) {
    places[rank] = place_at(seats[rank], groups[seats[rank].group], units, options.bind);
  }
  return places;
}

}  // namespace atl::launcher
