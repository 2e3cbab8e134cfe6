// Determines which processes hold leases that this process does not get (leases.h), and whether
// these leases count.
//
// Every process may lock every file that it can open, so a lock alone does not show that a core
// is in use: a process that locked all cores would prevent binding for all users.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/base/descriptor.h"
#include "launcher/hardware/cpu_set.h"

namespace atl::launcher {

// The processes that have locked (flock) the file with that device and inode; `locks` is the
// text of /proc/locks.
std::vector<pid_t> lock_holders(std::string_view locks, dev_t device, ino_t inode);

class LeaseHolders {
 public:
  LeaseHolders();

  // Whether another process's lock on the folder of `cpu` is a lease: the holder is a process of
  // this user, or has started less than 10 s ago, or the holder or a descendant is bound to some
  // of the node's cpus, `cpu` among them. The lock of a holder that /proc does not show counts.
  bool count(const Descriptor& folder, int cpu);

 private:
  const CpuSet& bound_below(pid_t holder);

  std::string locks_;
  std::map<pid_t, CpuSet> bound_;  // results of bound_below()
};

}  // namespace atl::launcher
