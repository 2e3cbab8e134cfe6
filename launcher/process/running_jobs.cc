#include "launcher/process/running_jobs.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "launcher/base/processes.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

namespace fs = std::filesystem;

// The segment of the job that `process` owns.
std::optional<shm::Segment> job_of(pid_t process) {
  std::error_code refused;
  const fs::path folder = fs::path("/proc") / std::to_string(process) / "fd";
  for (fs::directory_iterator at(folder, refused), end; !refused && at != end;
       at.increment(refused)) {
    std::error_code gone;
    // The second name is that of a file without a name, used where memfds are refused.
    const std::string file = fs::read_symlink(at->path(), gone).string();
    if (!file.starts_with("/memfd:atoll-job") && !file.starts_with("/dev/shm/#")) continue;
    auto observed = shm::Segment::observe(at->path().c_str());
    auto* segment = std::get_if<shm::Segment>(&observed);
    if (segment == nullptr) continue;
    const shm::JobHeader& header = segment->header();
    const bool owns =
        header.launcher == 0 || is_process(process, header.launcher, header.launcher_pids);
    if (owns) return std::move(*segment);
  }
  return std::nullopt;
}

}  // namespace

std::vector<RunningJob> running_jobs(pid_t only) {
  std::vector<RunningJob> jobs;
  for (const pid_t process : all_pids()) {
    if ((only != 0 && process != only) || process == ::getpid()) continue;
    if (auto segment = job_of(process)) jobs.push_back({process, std::move(*segment)});
  }
  return jobs;
}

bool rank_runs(const shm::Segment& segment, std::uint32_t rank) {
  const pid_t process = rank_process(segment.slot(rank));
  if (process == 0) return true;
  const char state = state_of(process);
  return state != '\0' && state != 'Z';
}

}  // namespace atl::launcher
