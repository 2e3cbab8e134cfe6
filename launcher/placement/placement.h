// Which rank may use which processing units: a pure function of the topology
// and the options.
//
// The units are cores (hardware threads when binding to these). On hybrid
// chips the fast ones come first, and the slow ones only when the fast ones do
// not suffice.
//
//   no option         the cores are divided into as many equal blocks of
//                     neighbours as there are ranks
//   --map-by object   ranks are assigned round-robin to the objects; each object's
//                     cores are divided among its ranks
//   ppr:n:object      n ranks per object, one object after the other
//   --map-by core     one core after the other
//   :PE=n             n cores per rank
//   OMP_NUM_THREADS   at least that many cores per rank
//   --rank-by core    neighbouring cores get consecutive ranks, also with round-robin
//   --bind-to core    a rank gets the first core of its block; without --map-by
//                     consecutive ranks are neighbours
//   --bind-to object  a rank may use the whole of each object that its block overlaps
//   --bind-to list    a rank may use its item of the list, and only that
//
// With more ranks than cores, a binding that would put several ranks on one core is not
// applied. A single rank is not bound either, unless an option requests it: it runs as the
// program would without mpiexec.
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
  bool rank_by_core = false;  // consecutive ranks on neighbouring cores
  CpuKind kind = CpuKind::automatic;
  std::vector<std::vector<int>> list{};  // of --bind-to list: rank 0's cpus, rank 1's, ...

  bool operator==(const PlacementOptions&) const = default;
};

struct RankPlace {
  CpuSet cpus;       // empty: not bound
  shm::Location at;  // the objects that contain all of `cpus`
};

// Limits of the job besides its cores.
struct Limits {
  int quota = 0;    // CPU time, in processing units; 0 = no limit
  int threads = 1;  // per rank: OMP_NUM_THREADS
};

// One entry per rank.
std::vector<RankPlace> place_ranks(const Topology& topology, const PlacementOptions& options,
                                   int ranks, const Limits& limits);

// The number of ranks that ppr:n:object requests.
int ranks_on_all_objects(const Topology& topology, const PlacementOptions& options);

// Whether ranks get cores for themselves, instead of places that they share or that the
// user has named.
bool wants_own_cores(const PlacementOptions& options);

// Whether the result of place_ranks() depends on the topology, which takes time to read.
// `cpus`: the number of processing units that the job may use.
bool placement_needs_topology(const PlacementOptions& options, int ranks, int cpus, int quota);

// Whether there are more ranks than cores, or than the quota of CPU time allows.
bool cores_are_shared(int cores, int ranks, int quota);

}  // namespace atl::launcher
