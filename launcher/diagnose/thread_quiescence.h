// Whether the threads of a rank rest for good, as far as the kernel knows.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace atl::launcher {

// A thread that only somebody else can make go on.
struct QuiescentThread {
  pid_t thread = 0;
  std::uint64_t switches = 0;  // how often it has lost its core: the same number, the same rest

  bool operator==(const QuiescentThread&) const = default;
};

// The threads of `process` when all of them rest: on the doorbell at
// `bell_address`, or, without a limit of time, on a lock or on another thread of
// the process. Nothing when one may go on by itself, is stopped or observed by a
// debugger, when none is at the doorbell, or when the system does not tell.
std::optional<std::vector<QuiescentThread>> quiescent_threads(pid_t process,
                                                              std::uint64_t bell_address);

// Whether the process has handlers for signals that come by themselves or from its own
// children and threads: from timers and the like, as opposed to those that report its
// faults or with which a user ends it.
bool handles_signals(pid_t process);

// The same, from the value of SigCgt in /proc/PID/status.
bool may_come_by_themselves(std::string_view caught);

// What a thread is doing in the kernel.
enum class ThreadState { at_the_bell, on_others, none };

// `syscall` is the text of /proc/PID/task/TID/syscall; `threads` are the threads
// of the process.
ThreadState thread_state_of(std::string_view syscall, std::uint64_t bell_address,
                            const std::vector<pid_t>& threads);

}  // namespace atl::launcher
