#include "launcher/process/rank_process.h"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "launcher/base/processes.h"
#include "shm/pid_namespace.h"

namespace atl::launcher {
namespace {

pid_t search(std::int32_t pid, std::uint64_t pid_namespace) {
  for (const pid_t seen : all_pids()) {
    if (is_process(seen, pid, pid_namespace)) return seen;
  }
  return 0;
}

}  // namespace

pid_t rank_process(const shm::RankSlot& slot) {
  static const std::uint64_t own_namespace = shm::pid_namespace("/proc/self");
  // Earlier results; a pid may have been reused by now, so it is verified again.
  static std::map<std::pair<std::uint64_t, std::int32_t>, pid_t> found;
  // Pairs with the release store of `pid` in runtime/core/process.cc: pid_namespace is valid.
  const std::int32_t pid = slot.pid.load_acquire();
  const std::uint64_t pid_namespace = slot.pid_namespace.load_relaxed();  // Relaxed: see above
  if (pid <= 0 || pid_namespace == 0) return 0;
  if (pid_namespace == own_namespace) return pid;
  pid_t& seen = found[{pid_namespace, pid}];
  if (seen == 0 || !is_process(seen, pid, pid_namespace)) seen = search(pid, pid_namespace);
  return seen;
}

bool is_process(pid_t seen, std::int32_t pid, std::uint64_t pid_namespace) {
  const std::string folder = "/proc/" + std::to_string(seen);
  if (shm::pid_namespace(folder.c_str()) != pid_namespace) return false;
  // The pids of the process in all namespaces from this one down to its own.
  const std::string status = read_file(folder + "/status");
  const std::string pids(status_value(status, "\nNSpid:"));
  return std::atoi(pids.c_str() + pids.find_last_of('\t') + 1) == pid;
}

}  // namespace atl::launcher
