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
//   ppr:n:object      n ranks an object, one object after the other
//   --map-by core     one core after the other
//   :PE=n             n cores a rank
//   OMP_NUM_THREADS   at least so many cores a rank
//   --rank-by core    neighbours have successive ranks, whatever they go round
//   --bind-to core    a rank gets the first core of its block; without --map-by
//                     ranks are neighbours
//   --bind-to object  a rank may use all of the objects that its block touches
//   --bind-to list    a rank may use its item of the list, and only that
//
// More ranks than cores: whatever would pile them up on a core is not bound. A
// single rank is not bound either, unless an option asks for it: it runs as the
// program would by itself.
#pragma once

#include <string>
#include <vector>

#include "launcher/hardware/cpu_set.h"
#include "launcher/hardware/topology.h"
#include "shm/location.h"

namespace atl::launcher {

enum class BindTo { automatic, none, hwthread, core, l2cache, l3cache, numa, package, list };
enum class MapBy { automatic, core, l2cache, l3cache, numa, package };
enum class CpuKind { automatic, all, fast };

struct PlacementOptions {
  BindTo bind = BindTo::automatic;
  MapBy map = MapBy::automatic;
  int cores_per_rank = 0;     // PE=n; 0 = not given
  int ranks_per_object = 0;   // ppr:n:object; 0 = not given
  bool rank_by_core = false;  // instead of going round
  CpuKind kind = CpuKind::automatic;
  std::vector<std::vector<int>> list{};  // of --bind-to list: rank 0's cpus, rank 1's, ...

  bool operator==(const PlacementOptions&) const = default;
};

struct RankPlace {
  CpuSet cpus;       // empty: not bound
  shm::Location at;  // that they share
};

// What the job may use, besides the cores.
struct Limits {
  int quota = 0;    // of how many processing units it may use the time at once; 0 = no limit
  int threads = 1;  // of a rank: OMP_NUM_THREADS
};

// One entry a rank.
std::vector<RankPlace> place_ranks(const Topology& topology, const PlacementOptions& options,
                                   int ranks, const Limits& limits);

// How many ranks ppr:n:object means.
int ranks_on_all_objects(const Topology& topology, const PlacementOptions& options);

// Whether ranks get cores that no other job should have, rather than places that
// they share or that the user has named.
bool wants_own_cores(const PlacementOptions& options);

// Whether the answer depends on the topology: reading it takes time. `cpus`:
// how many processing units the job may use.
bool placement_needs_topology(const PlacementOptions& options, int ranks, int cpus, int quota);

// More ranks than cores, or than the time of cores that the job is given.
bool cores_are_shared(int cores, int ranks, int quota);

}  // namespace atl::launcher
