// Who holds the leases that this process does not get (leases.h), and whether they count.
//
// Anybody may lock anything that he can open, so a lock alone does not show that a core is
// in use: who locked all of them would take binding away from all users.
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

// The processes that have locked (flock) the file of that device and inode; `locks` is the
// text of /proc/locks.
std::vector<pid_t> lock_holders(std::string_view locks, dev_t device, ino_t inode);

class LeaseHolders {
 public:
  LeaseHolders();

  // Whether the lock that somebody has on the folder of `cpu` is a lease: its holder is a
  // process of this user, has only just started, or it or a process below it is bound to
  // some of the node's cpus, that one among them. A holder that cannot be seen is believed.
  bool count(const Descriptor& folder, int cpu);

 private:
  const CpuSet& bound_below(pid_t holder);

  std::string locks_;
  std::map<pid_t, CpuSet> bound_;  // of those that were asked for
};

}  // namespace atl::launcher
