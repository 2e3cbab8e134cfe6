// The cores of a machine, for placement. hwloc discovers them on this machine, or
// reads them from a description of another machine (decision 8).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/hardware/cpu_set.h"
#include "shm/location.h"

namespace atl::launcher {

struct Core {
  shm::Location at;       // hwloc's logical indices, which lstopo prints
  int speed = 0;          // hwloc's efficiency of its kind of core: higher is faster
  std::vector<int> cpus;  // processing units that the job may use; never empty
};

// Cores that the job may use, in hwloc's order: neighbours share caches.
using Topology = std::vector<Core>;

struct Machine {
  Topology cores;
  CpuSet allowed;     // processing units that the job may use
  std::string named;  // for another machine: what named it, "--topology"; empty: this machine

  bool here() const { return named.empty(); }
};

// Whether the user names a topology: by `description` (of --topology), or if that is
// empty by the variables HWLOC_XMLFILE and HWLOC_SYNTHETIC.
bool names_topology(const std::string& description);

// The named topology (see names_topology()), or else that of this machine. A description is a
// file in hwloc's XML format or synthetic, as "package:2 core:4 pu:2". On this machine, which a
// named topology describes if HWLOC_THISSYSTEM=1, only cpus in `allowed` count; on another
// machine all cpus that its description allows. On failure the error message.
std::variant<Machine, std::string> read_machine(const std::string& description,
                                                const CpuSet& allowed);

}  // namespace atl::launcher
