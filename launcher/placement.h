// Which rank may use which processing units: a pure function of the topology
// and the options.
//
// The units are cores (hardware threads when binding to these). On hybrid
// chips the fast ones come first, and the slow ones only when the fast ones do
// not suffice.
//
//   no option         the cores are divided into as many equal blocks of
//                     neighbours as there are ranks
//   --map-by object   ranks go round the objects; each object's cores are
//                     divided among its ranks
//   --map-by core     one core after the other
//   :PE=n             n cores a rank
//   --bind-to core    a rank gets the first core of its block; without --map-by
//                     ranks are neighbours
//   --bind-to object  a rank may use all of the objects that its block touches
//
// More ranks than cores: whatever would pile them up on a core is not bound. A
// single rank is not bound either, unless an option asks for it: it runs as the
// program would by itself.
#pragma once

#include <string>
#include <vector>

#include "launcher/cpu_set.h"
#include "launcher/topology.h"
#include "shm/job.h"

namespace atl::launcher {

enum class BindTo { automatic, none, hwthread, core, l3cache, numa, package };
enum class MapBy { automatic, core, l3cache, numa, package };

struct PlacementOptions {
  BindTo bind = BindTo::automatic;
  MapBy map = MapBy::automatic;
  int cores_per_rank = 0;  // PE=n; 0 = not given

  bool operator==(const PlacementOptions&) const = default;
};

struct RankPlace {
  CpuSet cpus;  // empty: not bound
  shm::Placement where;
};

// One entry a rank. `quota`: how many processing units' time the job may use at
// once, 0 = no limit below that of the cores.
std::vector<RankPlace> place_ranks(const Topology& topology, const PlacementOptions& options,
                                   int ranks, int quota);

// Whether the answer depends on the topology: reading it takes time. `cpus`:
// how many processing units the job may use.
bool placement_needs_topology(const PlacementOptions& options, int ranks, int cpus, int quota);

// More ranks than cores, or than the time of cores that the job is given.
bool cores_are_shared(int cores, int ranks, int quota);

}  // namespace atl::launcher
