#include "launcher/process/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

// The child shares this process's memory until execve(), so that it can report a failure,
// and no memory is copied. It must only make system calls: no allocation, no lock. This
// process is suspended meanwhile.
enum class Step { none, tie, connect, change_folder, run };

struct Child {
  const RankStart* start;
  pid_t parent;
  Step failed = Step::none;
  int error = 0;  // errno of that step
  int binding_error = 0;
};

// Returns only when a step failed.
Step become_rank(Child& child) {
  const RankStart& start = *child.start;
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return Step::tie;
  if (::getppid() != child.parent) return Step::tie;  // the parent died before prctl()
  if (start.cpus != nullptr &&
      ::sched_setaffinity(0, CpuSet::kBytes,
                          reinterpret_cast<const cpu_set_t*>(start.cpus->words())) != 0) {
    child.binding_error = errno;
  }
  if ((start.input != 0 && ::dup2(start.input, 0) < 0) ||
      (start.output != 1 && ::dup2(start.output, 1) < 0) ||
      (start.error != 2 && ::dup2(start.error, 2) < 0) || ::fcntl(start.segment, F_SETFD, 0) != 0) {
    return Step::connect;
  }
  if (start.directory != nullptr && ::chdir(start.directory) != 0) return Step::change_folder;
  ::setrlimit(RLIMIT_NOFILE, &start.descriptor_limit);
  ::sigprocmask(SIG_SETMASK, &start.signals, nullptr);
  const Program& program = *start.program;
  ::execve(program.file(), program.arguments(), start.environment);
  if (errno == ENOEXEC) {
    ::execve(program.shell_arguments()[0], program.shell_arguments(), start.environment);
  }
  return Step::run;
}

int run_child(void* argument) {
  Child& child = *static_cast<Child*>(argument);
  child.failed = become_rank(child);
  child.error = errno;
  return 127;  // the exit status of the child
}

// The child's stack.
class Stack {
 public:
  Stack()
      : base_(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0)) {}
  ~Stack() {
    if (usable()) ::munmap(base_, kBytes);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  bool usable() const { return base_ != MAP_FAILED; }
  void* top() const { return static_cast<std::byte*>(base_) + kBytes; }

 private:
  static constexpr std::size_t kBytes = 64 * 1024;
  void* base_;
};

// "cannot run './a.out': No such file or directory", and the status that a shell
// would return.
StartFailure explain(const RankStart& start, const Child& child) {
  const std::string why = std::strerror(child.error);
  if (child.failed == Step::change_folder) {
    return {fmt::format("cannot change to the folder '{}': {}", start.directory, why), 126};
  }
  if (child.failed != Step::run) return {fmt::format("cannot set up a process: {}", why), 126};
  const std::string file = start.program->file();
  std::string text = fmt::format("cannot run '{}': {}", start.program->name(), why);
  if (child.error == ENOENT && start.directory != nullptr && file[0] != '/') {
    text += fmt::format(" in {}", start.directory);
  } else if (child.error == ENOENT && ::access(file.c_str(), F_OK) == 0) {
    text += ": the file is there, but not the interpreter that it names";
  }
  return {text, child.error == ENOENT ? 127 : 126};
}

}  // namespace

std::variant<StartedRank, StartFailure> start_rank(const RankStart& start) {
  static const Stack stack;
  Child child{.start = &start, .parent = ::getpid()};
  StartedRank started;
  started.pid = stack.usable() ? ::clone(run_child, stack.top(),
                                         CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &child,
                                         &started.pidfd)
                               : -1;
  if (started.pid < 0) {
    return StartFailure{fmt::format("cannot start a process: {}", std::strerror(errno)), 1};
  }
  if (child.failed != Step::none) {
    ::waitpid(started.pid, nullptr, 0);
    ::close(started.pidfd);
    return explain(start, child);
  }
  started.binding_error = child.binding_error;
  return started;
}

}  // namespace atl::launcher
