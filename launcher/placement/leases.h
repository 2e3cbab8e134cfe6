// Processing units that belong to one job: other jobs on this node, whoever
// started them, take others.
//
// A lease is a lock (flock) on the folder in which the kernel shows a
// processing unit: /sys/devices/system/cpu/cpu3. It is there without us, anybody
// may lock it, nothing is left behind, and the kernel drops the lock with the
// process that holds it, however that ends. A lock on the folder above is held
// by whoever is choosing, so that jobs that start together do not see each
// other's attempts. A lock of another user counts only if he uses that processing unit
// (lease_holders.h): then he has no more than what he really holds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "launcher/base/descriptor.h"
#include "launcher/hardware/cpu_set.h"

namespace atl::launcher {

class Leases {
 public:
  static constexpr const char* kSystem = "/sys/devices/system/cpu";

  // `folder`: kSystem, or one that looks like it. Empty: no leases, all is free.
  explicit Leases(std::string folder) : folder_(std::move(folder)) {}

  // Takes those of `wanted` that no other job has, and lets no other job choose
  // before keep(), unless one chooses for longer than a second.
  CpuSet take(const CpuSet& wanted);

  // Gives back all but these.
  void keep(const CpuSet& used);

 private:
  struct Lease {
    int cpu;
    Descriptor lock;  // not open: somebody else has the lock, in vain
  };

  std::string folder_;
  Descriptor choosing_;
  std::vector<Lease> leases_;
};

// Whether all jobs of this node see the same folder: each network namespace,
// and so nearly every container, has its own.
bool leases_cover_the_node();

}  // namespace atl::launcher
