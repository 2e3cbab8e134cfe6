#include "launcher/placement/leases.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include <fmt/format.h>

#include "launcher/placement/lease_holders.h"

namespace atl::launcher {
namespace {

constexpr int kPatience = 1000;  // milliseconds; choosing takes less than one

Descriptor open_folder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// False when another process has the lock. A folder that cannot be locked counts as free.
bool lock(const Descriptor& folder) {
  return !folder.open() || ::flock(folder.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool lock_soon(const Descriptor& folder) {
  for (int waited = 0; !lock(folder); ++waited) {
    if (waited == kPatience) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

}  // namespace

CpuSet Leases::take(const CpuSet& wanted) {
  if (folder_.empty()) return wanted;
  choosing_ = open_folder(folder_);
  CpuSet taken;
  if (!lock_soon(choosing_)) choosing_.close();  // one process must not block all others
  std::optional<LeaseHolders> holders;
  for (const int cpu : wanted.cpus()) {
    Descriptor folder = open_folder(fmt::format("{}/cpu{}", folder_, cpu));
    if (!lock(folder)) {
      if (!holders) holders.emplace();
      if (holders->count(folder, cpu)) continue;
      folder.close();
    }
    taken.add(cpu);
    leases_.push_back({cpu, std::move(folder)});
  }
  return taken;
}

void Leases::keep(const CpuSet& used) {
  std::erase_if(leases_, [&](const Lease& lease) { return !used.contains(lease.cpu); });
  choosing_.close();
}

bool leases_cover_the_node() {
  // A setting of the whole system, visible only in its first network namespace.
  return ::access("/proc/sys/net/core/dev_weight", F_OK) == 0;
}

}  // namespace atl::launcher
