// The cores of a machine, as placement needs them. hwloc finds them on this machine, or
// reads them from a description of another one (decision 8).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/hardware/cpu_set.h"
#include "shm/location.h"

namespace atl::launcher {

struct Core {
  shm::Location at;       // hwloc's logical indices, the ones that lstopo prints
  int speed = 0;          // hwloc's efficiency of its kind of core: higher is faster
  std::vector<int> cpus;  // processing units that the job may use; never empty
};

// Cores that the job may use, in hwloc's order: neighbours share caches.
using Topology = std::vector<Core>;

struct Machine {
  Topology cores;
  CpuSet allowed;     // processing units that the job may use
  std::string named;  // what names it, when it is not this machine: "--topology"; or else empty

  bool here() const { return named.empty(); }
};

// Whether somebody says which topology to read: `description` (of --topology), or if that
// is empty the variables HWLOC_XMLFILE and HWLOC_SYNTHETIC.
bool names_topology(const std::string& description);

// The topology that names_topology() tells of, or else this machine's. A description is a file
// in hwloc's XML format or a synthetic one, as "package:2 core:4 pu:2". On this machine only
// `allowed` counts, which is also what a named topology is when HWLOC_THISSYSTEM=1 says so; of
// another machine all that it allows. Or what is wrong.
std::variant<Machine, std::string> read_machine(const std::string& description,
                                                const CpuSet& allowed);

}  // namespace atl::launcher
