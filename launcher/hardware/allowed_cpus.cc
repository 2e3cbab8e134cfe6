#include "launcher/hardware/allowed_cpus.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

// Nothing when there is no such file, or it is empty.
std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<double> quota_v2(const std::string& folder) {
  const auto line = first_line(folder + "/cpu.max");
  return line ? parse_cpu_max(*line) : std::nullopt;
}

std::optional<double> quota_v1(const std::string& folder) {
  const auto quota = first_line(folder + "/cpu.cfs_quota_us");
  const auto period = first_line(folder + "/cpu.cfs_period_us");
  if (!quota || !period || quota->starts_with('-')) return std::nullopt;
  return parse_cpu_max(*quota + ' ' + *period);
}

// The smallest quota of `group` under `root` and of its ancestors. In a container the path
// may be one of the host; then only the root exists.
template <class Read>
void look_upwards(const std::string& root, std::string group, Read&& read,
                  std::optional<double>& least) {
  for (;;) {
    if (const auto quota = read(root + group)) least = std::min(least.value_or(*quota), *quota);
    const std::size_t cut = group.rfind('/');
    if (group.empty() || cut == std::string::npos) return;
    group.erase(cut);
  }
}

bool controls_cpu(const std::string& controllers) {
  const auto names = split(controllers, ',');
  return std::find(names.begin(), names.end(), "cpu") != names.end();
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  std::istringstream words{std::string(text)};
  double quota = 0;
  double period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<double> read_quota(const std::string& process_groups, const std::string& mount) {
  std::optional<double> least;
  std::ifstream groups(process_groups);
  for (std::string line; std::getline(groups, line);) {  // HIERARCHY:CONTROLLERS:PATH
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) {
      look_upwards(mount, path, quota_v2, least);
    } else if (controls_cpu(controllers)) {
      look_upwards(mount + "/cpu", path, quota_v1, least);
    }
  }
  return least;
}

AllowedCpus read_allowed_cpus() {
  AllowedCpus allowed;
  if (::sched_getaffinity(0, CpuSet::kBytes, reinterpret_cast<cpu_set_t*>(allowed.cpus.words())) !=
      0) {
    allowed.cpus.add(0);  // there is at least this one
  }
  if (const auto quota = read_quota("/proc/self/cgroup", "/sys/fs/cgroup")) {
    allowed.quota = std::max(1, static_cast<int>(*quota));
  }
  return allowed;
}

}  // namespace atl::launcher
