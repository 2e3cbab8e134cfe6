#include "launcher/base/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace atl::launcher {
namespace {

// The fields of /proc/PID/stat after the program's name, which may contain
// any characters. The first of them is field 3 of proc(5).
std::vector<std::string> stat_fields(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  std::vector<std::string> fields;
  if (name_end == std::string::npos) return fields;
  std::istringstream words(line.substr(name_end + 1));
  for (std::string word; words >> word;) fields.push_back(word);
  return fields;
}

// Field `number` as proc(5) counts them.
std::optional<int> stat_field(const std::string& pid, std::size_t number) {
  const auto fields = stat_fields(pid);
  if (fields.size() < number - 2) return std::nullopt;
  return std::atoi(fields[number - 3].c_str());
}

constexpr std::size_t kState = 3;
constexpr std::size_t kParent = 4;
constexpr std::size_t kUserTime = 14;
constexpr std::size_t kSystemTime = 15;
constexpr std::size_t kStartTime = 22;
constexpr std::size_t kProcessor = 39;

struct Process {
  pid_t pid;
  pid_t parent;
};

std::vector<Process> all_processes() {
  std::vector<Process> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid <= 0) continue;
    if (const auto parent = stat_field(entry->d_name, kParent)) all.push_back({pid, *parent});
  }
  return all;
}

}  // namespace

std::vector<pid_t> descendants(pid_t ancestor) {
  const std::vector<Process> all = all_processes();
  std::vector<pid_t> found{ancestor};
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const Process& process : all) {
      if (process.parent == found[next]) found.push_back(process.pid);
    }
  }
  found.erase(found.begin());
  return found;
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

pid_t ended_child() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

std::vector<pid_t> ended_children() {
  std::vector<pid_t> ended;
  for (const Process& process : all_processes()) {
    if (process.parent == ::getpid() && state_of(process.pid) == 'Z') ended.push_back(process.pid);
  }
  return ended;
}

int last_cpu(pid_t pid) { return stat_field(std::to_string(pid), kProcessor).value_or(-1); }

char state_of(pid_t pid) {
  const auto fields = stat_fields(std::to_string(pid));
  return fields.empty() ? '\0' : fields[kState - 3][0];
}

double processor_seconds(pid_t pid) {
  const std::string name = std::to_string(pid);
  const int ticks =
      stat_field(name, kUserTime).value_or(0) + stat_field(name, kSystemTime).value_or(0);
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double seconds_since_start(pid_t pid) {
  const auto fields = stat_fields(std::to_string(pid));
  if (fields.size() < kStartTime - 2) return std::numeric_limits<double>::infinity();
  const double ticks = std::atof(fields[kStartTime - 3].c_str());  // after the system's start
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  for (const Process& process : all_processes()) pids.push_back(process.pid);
  std::sort(pids.begin(), pids.end());
  return pids;
}

std::string_view status_value(std::string_view status, std::string_view name) {
  const std::size_t at = status.find(name);
  if (at == std::string_view::npos) return {};
  std::string_view value = status.substr(at + name.size());
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  return value.substr(0, value.find('\n'));
}

std::string read_file(const std::string& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char piece[2048];
  for (ssize_t count; (count = ::read(file, piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(count));
  }
  ::close(file);
  return text;
}

}  // namespace atl::launcher
