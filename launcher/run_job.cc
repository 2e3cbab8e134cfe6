#include "launcher/run_job.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "launcher/allocation.h"
#include "launcher/process/environment.h"
#include "launcher/process/program_file.h"
#include "launcher/process/signals.h"
#include "launcher/process/spawn.h"
#include "launcher/stdio/console.h"
#include "launcher/stdio/input_copier.h"
#include "launcher/stdio/stdio_setup.h"
#include "launcher/supervise.h"
#include "shm/launcher_lock.h"
#include "shm/pid_namespace.h"
#include "shm/segment.h"

namespace atl::launcher {
namespace {

std::variant<shm::Segment, StartFailure> make_segment(const Plan& plan,
                                                      const Allocation& allocation) {
  shm::JobOptions options;
  options.size = static_cast<std::uint32_t>(plan.ranks());
  options.cpus =
      plan.universe_size > 0 ? plan.universe_size : static_cast<std::uint32_t>(allocation.cpus);
  options.launcher = ::getpid();
  options.launcher_pids = shm::pid_namespace("/proc/self");
  if (allocation.shared_cores) options.flags |= shm::kJobSharedCores;
  if (::isatty(STDOUT_FILENO) == 1) options.flags |= shm::kJobLineBuffered;
  auto made = shm::Segment::create(options);
  if (auto* why = std::get_if<std::string>(&made)) {
    return StartFailure{fmt::format("cannot make the shared memory of the job: {}", *why)};
  }
  auto& segment = std::get<shm::Segment>(made);
  if (!shm::hold_launcher_lock(segment.descriptor())) {
    return StartFailure{
        fmt::format("cannot lock the shared memory of the job: {}", std::strerror(errno))};
  }
  std::uint32_t rank = 0;
  for (std::uint32_t part = 0; part < plan.parts.size(); ++part) {
    for (int i = 0; i < plan.parts[part].ranks; ++i, ++rank) {
      segment.slot(rank).app_number = part;
      segment.slot(rank).location = allocation.places[rank].at;
    }
  }
  return std::move(segment);
}

std::variant<std::vector<Program>, StartFailure> find_programs(const Plan& plan) {
  std::vector<Program> programs;
  for (const Part& part : plan.parts) {
    auto found = find_program(part, std::getenv("PATH"));
    if (auto* failure = std::get_if<StartFailure>(&found)) return *failure;
    programs.push_back(std::move(std::get<Program>(found)));
  }
  return programs;
}

// Raises the limit of open descriptors to what mpiexec needs for `ranks` ranks. The ranks
// themselves get the limit that mpiexec had.
rlimit raise_descriptor_limit(rlim_t ranks) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit raised = before;
  constexpr rlim_t kPerRank = 4;  // output, error, input, the process
  constexpr rlim_t kOthers = 64;
  raised.rlim_cur =
      std::min(raised.rlim_max, std::max(before.rlim_cur, kPerRank * ranks + kOthers));
  if (raised.rlim_cur != before.rlim_cur) ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

// The descriptor number under which ranks inherit the segment: above the numbers that
// shells and scripts use.
Descriptor high_descriptor(int descriptor) {
  constexpr int kAbove = 200;
  const int high = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kAbove);
  return Descriptor(high >= 0 ? high : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
}

class Job {
 public:
  Job(const Plan& plan, const Allocation& allocation, const std::vector<Program>& programs,
      const shm::Segment& segment, char** environment)
      : plan_(plan),
        allocation_(allocation),
        programs_(programs),
        segment_(segment),
        environment_(environment),
        console_(plan.output),
        copier_(plan.input.kind == InputChoice::Kind::all ? std::make_unique<InputCopier>()
                                                          : nullptr),
        limit_before_(raise_descriptor_limit(static_cast<rlim_t>(plan.ranks()))),
        inherited_(high_descriptor(segment.descriptor())),
        stdio_setup_(plan, console_, copier_.get()),
        supervisor_(plan, segment, console_, signals_, copier_.get()) {
    start_.descriptor_limit = limit_before_;
    start_.signals = signals_.before();
    start_.segment = inherited_.number();
  }

  int run() {
    // mpiexec becomes the parent of orphaned children of ranks, and ends them with the job.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
      if (auto failure = start_part(part)) {
        supervisor_.give_up(*failure);
        break;
      }
    }
    return supervisor_.run();
  }

 private:
  std::optional<StartFailure> start_part(std::size_t number) {
    const Part& part = plan_.parts[number];
    RankEnvironment variables(environment_, plan_, part, segment_.description(inherited_.number()));
    start_.directory = part.directory.empty() ? nullptr : part.directory.c_str();
    for (int i = 0; i < part.ranks; ++i, ++next_rank_) {
      start_.environment = variables.for_rank(next_rank_);
      const auto program = wrapped(programs_[number], plan_.wraps, next_rank_);
      if (auto* failure = std::get_if<StartFailure>(&program)) return *failure;
      start_.program = &std::get<Program>(program);
      if (auto failure = start_next()) return failure;
    }
    return std::nullopt;
  }

  std::optional<StartFailure> start_next() {
    auto connected = stdio_setup_.connect(next_rank_);
    if (auto* failure = std::get_if<StartFailure>(&connected)) return *failure;
    const RankStdio& stdio = std::get<RankStdio>(connected);
    start_.input = stdio.input;
    start_.output = stdio.output;
    start_.error = stdio.error;
    const CpuSet& cpus = allocation_.places[static_cast<std::size_t>(next_rank_)].cpus;
    start_.cpus = cpus.empty() ? nullptr : &cpus;
    const auto outcome = start_rank(start_);
    if (auto* failure = std::get_if<StartFailure>(&outcome)) return *failure;
    welcome(std::get<StartedRank>(outcome), cpus);
    return std::nullopt;
  }

  void welcome(const StartedRank& started, const CpuSet& cpus) {
    const std::string& program = start_.program->name();
    supervisor_.add(started, *start_.program);
    if (plan_.verbose) {
      const std::string where = cpus.empty() ? "not bound" : "on cpus " + cpus.to_string();
      console_.say(
          fmt::format("rank {} is {}, pid {}, {}", next_rank_, program, started.pid, where));
    }
    if (started.binding_error != 0 && !binding_refused_) {
      binding_refused_ = true;
      console_.say(fmt::format("the system refused to bind rank {} to cpus {}: {}", next_rank_,
                               cpus.to_string(), std::strerror(started.binding_error)));
    }
  }

  const Plan& plan_;
  const Allocation& allocation_;
  const std::vector<Program>& programs_;
  const shm::Segment& segment_;
  char** environment_;

  Signals signals_;
  Console console_;
  std::unique_ptr<InputCopier> copier_;
  rlimit limit_before_;
  Descriptor inherited_;  // the segment
  StdioSetup stdio_setup_;
  Supervisor supervisor_;
  RankStart start_;
  int next_rank_ = 0;
  bool binding_refused_ = false;
};

int complain(const StartFailure& failure) {
  ::dprintf(STDERR_FILENO, "mpiexec: %s\n", failure.text.c_str());
  return failure.status;
}

}  // namespace

int show_placement(Plan& plan) {
  const auto allocated = allocate_cpus(plan);
  auto* failure = std::get_if<StartFailure>(&allocated);
  return failure != nullptr ? complain(*failure) : 0;
}

int run_job(Plan& plan, char** environment) {
  const auto programs = find_programs(plan);
  if (auto* failure = std::get_if<StartFailure>(&programs)) return complain(*failure);
  const auto seated = allocate_cpus(plan);
  if (auto* failure = std::get_if<StartFailure>(&seated)) return complain(*failure);
  const Allocation& allocation = std::get<Allocation>(seated);
  const auto segment = make_segment(plan, allocation);
  if (auto* failure = std::get_if<StartFailure>(&segment)) return complain(*failure);
  return Job(plan, allocation, std::get<std::vector<Program>>(programs),
             std::get<shm::Segment>(segment), environment)
      .run();
}

}  // namespace atl::launcher
