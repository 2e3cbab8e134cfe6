// atoll: shows the jobs that run on this node, and the node itself.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "launcher/base/processes.h"
#include "launcher/base/text.h"
#include "launcher/diagnose/rank_activity.h"
#include "launcher/diagnose/rank_states.h"
#include "launcher/diagnose/top.h"
#include "launcher/diagnose/wait_table.h"
#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/topology.h"
#include "launcher/process/running_jobs.h"

namespace {

using namespace atl;
using namespace atl::launcher;

constexpr char kUsage[] =
    "usage: atoll ps [PID]              what each rank of the running jobs waits for\n"
    "       atoll top [-n TIMES] [PID]  what each rank does, once a second\n"
    "       atoll cores                 the cpus a job may use here, and where they are\n"
    "       atoll bench [OPTION...]     how fast messages are here; --help lists the options\n"
    "PID is that of mpiexec; without it all jobs are shown that you may look at.\n";
constexpr int kUsageStatus = 2;

// "job 4711: 4 ranks".
std::string heading(const RunningJob& job) {
  return fmt::format("job {}: {}{}\n", job.owner, counted(job.segment.size(), "rank"),
                     job.segment.header().launcher == 0 ? ", without mpiexec" : "");
}

// The memory of the ranks' unexpected messages.
std::string kept_messages(const shm::Segment& segment) {
  std::string text;
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) {
    const auto activity = read_activity(segment.slot(rank));
    if (!activity || activity->unexpected == 0) continue;
    text += fmt::format("rank {}: keeps {} that no receive has met, in {} bytes\n", rank,
                        counted(activity->unexpected, "message"),
                        in_short(static_cast<double>(activity->unexpected_bytes)));
  }
  return text;
}

void show_waits(const RunningJob& job) {
  const auto runs = [&](std::uint32_t rank) { return rank_runs(job.segment, rank); };
  const auto states = inquire(job.segment, job.segment.size(), runs);
  const std::string table = wait_table(states, monotonic_ns()) + '\n';
  std::fputs((heading(job) + table + kept_messages(job.segment)).c_str(), stdout);
}

int complain_of_no_job(pid_t only) {
  if (only != 0) {
    std::fprintf(stderr, "atoll: %d is no mpiexec that you may look at\n", only);
  } else {
    std::fprintf(stderr, "atoll: no job of yours runs here\n");
  }
  return 1;
}

int ps(pid_t only) {
  const auto jobs = running_jobs(only);
  if (jobs.empty()) return complain_of_no_job(only);
  for (const RunningJob& job : jobs) show_waits(job);
  return 0;
}

bool all_ended(const RunningJob& job) { return state_of(job.owner) == '\0'; }

int top(pid_t only, int times) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  for (int shown = 0; times == 0 || shown < times; ++shown) {
    const auto jobs = running_jobs(only);
    if (jobs.empty()) return shown == 0 ? complain_of_no_job(only) : 0;
    std::string page;
    for (const RunningJob& job : jobs) {
      const Interval interval = watch_ranks(job.segment, 1.0 / static_cast<double>(jobs.size()));
      if (!all_ended(job)) page += heading(job) + top_table(interval);
    }
    std::fputs(((terminal ? "\033[H\033[2J" : "") + page).c_str(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

// A line for each processing unit: its number, and the core, cache and so on that it
// lies in, by hwloc's logical numbers; -1: unknown.
int cores() {
  const auto read = read_machine("", read_allowed_cpus().cpus);
  if (const auto* why = std::get_if<std::string>(&read)) {
    std::fprintf(stderr, "atoll: %s\n", why->c_str());
    return 1;
  }
  std::fputs("cpu\tcore\tl3\tnuma\tpackage\n", stdout);
  for (const Core& core : std::get<Machine>(read).cores) {
    for (const int cpu : core.cpus) {
      const shm::Location& at = core.at;
      std::printf("%d\t%d\t%d\t%d\t%d\n", cpu, at.core, at.l3cache, at.numa, at.package);
    }
  }
  return 0;
}

// The latency lab is a Python program, installed beside this one.
int bench(char** words) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto lab = self.parent_path().parent_path() / "share/atoll/bench/lab/lab.py";
  if (!std::filesystem::exists(lab, error)) {
    std::fprintf(stderr, "atoll: bench is not installed: there is no %s\n", lab.c_str());
    return 1;
  }
  std::vector<char*> command = {const_cast<char*>("python3"), const_cast<char*>(lab.c_str())};
  while (*words != nullptr) command.push_back(*words++);
  command.push_back(nullptr);
  ::execvp(command[0], command.data());
  std::fprintf(stderr, "atoll: bench needs python3: %s\n", std::strerror(errno));
  return 1;
}

// A number above 0, or 0 when the word is no such number.
int number(const char* word) {
  char* end = nullptr;
  const long value = std::strtol(word, &end, 10);
  return *end == '\0' && value > 0 && value <= 1 << 30 ? static_cast<int>(value) : 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view command = count > 1 ? words[1] : "";
  if (command == "--help" || command == "-h") return std::fputs(kUsage, stdout) >= 0 ? 0 : 1;
  if (command == "--version") return std::puts("atoll " ATOLL_VERSION) >= 0 ? 0 : 1;
  if (command == "bench") return bench(words + 2);
  if (command == "cores" && count == 2) return cores();
  int next = 2;
  int times = 0;
  bool good = command == "ps" || command == "top";
  if (command == "top" && count > next && std::strcmp(words[next], "-n") == 0) {
    times = count > next + 1 ? number(words[next + 1]) : 0;
    good = times > 0;
    next += 2;
  }
  const pid_t only = count > next ? number(words[next]) : 0;
  if (!good || count > next + 1 || (count > next && only == 0)) {
    std::fputs(kUsage, stderr);
    return kUsageStatus;
  }
  return command == "ps" ? ps(only) : top(only, times);
}
