// Leases of processing units for one job: other jobs on this node, of any user, use other
// units.
//
// A lease is a lock (flock) on the folder in which the kernel shows a processing
// unit: /sys/devices/system/cpu/cpu3. The kernel provides the folder, every user may
// lock it, no file remains, and the kernel drops the lock when the process that holds
// it ends, for whatever reason. A job that chooses units locks the folder above, so that
// jobs that start together do not see each other's attempts. The lock of another user counts
// only if that user uses the processing unit (lease_holders.h), so that locking alone reserves
// nothing.
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

  // `folder`: kSystem, or a folder of the same form. Empty: no leases, all units are free.
  explicit Leases(std::string folder) : folder_(std::move(folder)) {}

  // Leases the units of `wanted` that no other job has leased, and returns them. No other job
  // can choose before keep(), unless this takes longer than a second.
  CpuSet take(const CpuSet& wanted);

  // Releases all leases except these.
  void keep(const CpuSet& used);

 private:
  struct Lease {
    int cpu;
    Descriptor lock;  // not open: another process has the lock, but it does not count
  };

  std::string folder_;
  Descriptor choosing_;
  std::vector<Lease> leases_;
};

// Whether all jobs of this node see the same folder. Each network namespace,
// and so nearly every container, has its own.
bool leases_cover_the_node();

}  // namespace atl::launcher
