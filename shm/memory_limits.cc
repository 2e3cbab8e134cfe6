#include "shm/memory_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace atl::shm {
namespace {

std::uint64_t limit_of(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return limit.rlim_cur;
}

// The first bytes of a file of the kernel; empty where it cannot be read.
std::string contents_of(const std::string& path) {
  char text[4096];
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t bytes = ::read(file, text, sizeof text);
  ::close(file);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
}

// The number that the text begins with; `otherwise` if it begins with none.
std::uint64_t number_in(const std::string& text, std::uint64_t otherwise) {
  std::uint64_t number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The least memory.max of this process's control group and those around it (version 2). Where the
// files cannot be read, or contain "max", there is no limit.
std::uint64_t control_group_limit() {
  const std::string groups = "\n" + contents_of("/proc/self/cgroup");
  const std::size_t own = groups.find("\n0::/");
  if (own == std::string::npos) return kNoLimit;
  const std::size_t start = own + 4;
  std::string group = groups.substr(start, groups.find('\n', start) - start);
  std::uint64_t least = kNoLimit;
  while (!group.empty()) {
    least =
        std::min(least, number_in(contents_of("/sys/fs/cgroup" + group + "/memory.max"), kNoLimit));
    group.erase(group.rfind('/'));
  }
  return std::min(least, number_in(contents_of("/sys/fs/cgroup/memory.max"), kNoLimit));
}

}  // namespace

std::uint64_t address_space_limit() { return limit_of(RLIMIT_AS); }

std::uint64_t file_size_limit() { return limit_of(RLIMIT_FSIZE); }

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t memory_limit() {
  struct sysinfo facts {};
  if (::sysinfo(&facts) != 0) return control_group_limit();
  const std::uint64_t all = (std::uint64_t{facts.totalram} + facts.totalswap) * facts.mem_unit;
  return std::min(all, control_group_limit());
}

bool overcommit_is_forbidden() {
  return number_in(contents_of("/proc/sys/vm/overcommit_memory"), 0) == 2;
}

}  // namespace atl::shm
