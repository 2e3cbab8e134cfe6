#include "launcher/placement/lease_holders.h"

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "launcher/base/processes.h"
#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

// A job takes its leases before it starts its ranks.
constexpr double kStarting = 10;  // seconds

// The cpus that `process` is bound to; none when it may use all cpus of the node.
CpuSet binding_of(pid_t process) {
  CpuSet cpus;
  const bool known =
      ::sched_getaffinity(process, CpuSet::kBytes, reinterpret_cast<cpu_set_t*>(cpus.words())) == 0;
  return known && cpus.count() < ::sysconf(_SC_NPROCESSORS_ONLN) ? cpus : CpuSet{};
}

}  // namespace

std::vector<pid_t> lock_holders(std::string_view locks, dev_t device, ino_t inode) {
  std::vector<pid_t> holders;
  for (const std::string& line : split(std::string(locks), '\n')) {
    int process = 0;
    unsigned major = 0, minor = 0;
    unsigned long long number = 0;
    // "3: FLOCK  ADVISORY  WRITE 4711 00:15:1234 0 EOF"
    if (std::sscanf(line.c_str(), "%*d: FLOCK %*s %*s %d %x:%x:%llu", &process, &major, &minor,
                    &number) == 4 &&
        ::makedev(major, minor) == device && number == inode) {
      holders.push_back(process);
    }
  }
  return holders;
}

LeaseHolders::LeaseHolders() : locks_(read_file("/proc/locks")) {}

bool LeaseHolders::count(const Descriptor& folder, int cpu) {
  struct stat facts {};
  if (::fstat(folder.number(), &facts) != 0) return true;
  const auto holders = lock_holders(locks_, facts.st_dev, facts.st_ino);
  return holders.empty() || std::any_of(holders.begin(), holders.end(), [&](pid_t holder) {
           struct stat process {};
           const bool seen = ::stat(("/proc/" + std::to_string(holder)).c_str(), &process) == 0;
           if (!seen) return ::kill(holder, 0) == 0 || errno != ESRCH;
           return process.st_uid == ::getuid() || seconds_since_start(holder) < kStarting ||
                  bound_below(holder).contains(cpu);
         });
}

const CpuSet& LeaseHolders::bound_below(pid_t holder) {
  const auto [at, is_new] = bound_.try_emplace(holder);
  if (!is_new) return at->second;
  std::vector<pid_t> processes = descendants(holder);
  processes.push_back(holder);
  for (const pid_t process : processes) {
    for (const int cpu : binding_of(process).cpus()) at->second.add(cpu);
  }
  return at->second;
}

}  // namespace atl::launcher
