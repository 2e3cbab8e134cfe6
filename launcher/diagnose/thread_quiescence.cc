#include "launcher/diagnose/thread_quiescence.h"

#include <dirent.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "launcher/base/processes.h"

namespace atl::launcher {
namespace {

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  const std::string folder = fmt::format("/proc/{}/task", process);
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr) return threads;
  while (const dirent* entry = ::readdir(open.get())) {
    if (const int thread = std::atoi(entry->d_name); thread > 0) threads.push_back(thread);
  }
  return threads;
}

// The thread if it sleeps and no debugger traces it.
std::optional<QuiescentThread> sleeping(pid_t thread, std::string_view status) {
  if (!status_value(status, "\nState:").starts_with('S')) return std::nullopt;
  if (status_value(status, "\nTracerPid:") != "0") return std::nullopt;
  const std::string switches(status_value(status, "\nvoluntary_ctxt_switches:"));
  if (switches.empty()) return std::nullopt;
  return QuiescentThread{thread, std::strtoull(switches.c_str(), nullptr, 10)};
}

}  // namespace

ThreadState thread_state_of(std::string_view syscall, std::uint64_t bell_address,
                            const std::vector<pid_t>& threads) {
  long number = 0;
  std::uint64_t word = 0, operation = 0, value = 0, limit = 0;
  if (std::sscanf(std::string(syscall).c_str(), "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
                  &number, &word, &operation, &value, &limit) != 5 ||
      number != SYS_futex) {
    return ThreadState::none;
  }
  const std::uint64_t command = operation & FUTEX_CMD_MASK;
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) return ThreadState::none;
  if (word == bell_address) return ThreadState::at_the_bell;
  if (limit != 0) return ThreadState::none;
  // pthread_join() waits on the thread's id, which the kernel clears at its end.
  const auto joined = static_cast<pid_t>(value);
  const bool inside = (operation & FUTEX_PRIVATE_FLAG) != 0 ||
                      std::find(threads.begin(), threads.end(), joined) != threads.end();
  return inside ? ThreadState::on_others : ThreadState::none;
}

bool handles_signals(pid_t process) {
  return may_come_by_themselves(
      status_value(read_file(fmt::format("/proc/{}/status", process)), "\nSigCgt:"));
}

bool may_come_by_themselves(std::string_view caught) {
  // The C library uses 32 and 33, for the cancellation of threads for example.
  std::uint64_t others = 1ull << (32 - 1) | 1ull << (33 - 1);
  for (const int signal : {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,   SIGTRAP, SIGABRT,  SIGBUS,
                           SIGFPE,  SIGSEGV, SIGPIPE, SIGTERM,  SIGTSTP, SIGTTIN,  SIGTTOU,
                           SIGXCPU, SIGXFSZ, SIGSYS,  SIGWINCH, SIGCONT, SIGSTKFLT}) {
    others |= 1ull << (signal - 1);
  }
  const std::uint64_t handled = std::strtoull(std::string(caught).c_str(), nullptr, 16);
  return (handled & ~others) != 0;
}

std::optional<std::vector<QuiescentThread>> quiescent_threads(pid_t process,
                                                              std::uint64_t bell_address) {
  const std::vector<pid_t> threads = threads_of(process);
  std::vector<QuiescentThread> resting;
  bool at_the_bell = false;
  for (const pid_t thread : threads) {
    const std::string folder = fmt::format("/proc/{}/task/{}", process, thread);
    const auto found = sleeping(thread, read_file(folder + "/status"));
    const ThreadState rest =
        found ? thread_state_of(read_file(folder + "/syscall"), bell_address, threads)
              : ThreadState::none;
    if (rest == ThreadState::none) return std::nullopt;
    at_the_bell = at_the_bell || rest == ThreadState::at_the_bell;
    resting.push_back(*found);
  }
  if (!at_the_bell) return std::nullopt;
  return resting;
}

}  // namespace atl::launcher
