// Whether the threads of a rank are blocked without a timeout, according to the kernel.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace atl::launcher {

// A blocked thread, which only another thread or process can wake.
struct QuiescentThread {
  pid_t thread = 0;
  std::uint64_t switches = 0;  // voluntary context switches; unchanged: it has not run

  bool operator==(const QuiescentThread&) const = default;
};

// The threads of `process` if all of them are blocked: on the doorbell at
// `bell_address`, or, without a timeout, on a lock or in a join of another thread of
// the process. Nothing when a thread may continue by itself, is stopped or traced by a
// debugger, when none is at the doorbell, or when the system does not provide the data.
std::optional<std::vector<QuiescentThread>> quiescent_threads(pid_t process,
                                                              std::uint64_t bell_address);

// Whether the process has handlers for signals that arrive by themselves or from its own
// children and threads, such as those of timers; not counted are signals that report its
// faults or with which a user ends it.
bool handles_signals(pid_t process);

// The same, from the value of SigCgt in /proc/PID/status.
bool may_come_by_themselves(std::string_view caught);

// Where a thread is blocked in the kernel.
enum class ThreadState { at_the_bell, on_others, none };

// `syscall` is the text of /proc/PID/task/TID/syscall; `threads` are the threads
// of the process.
ThreadState thread_state_of(std::string_view syscall, std::uint64_t bell_address,
                            const std::vector<pid_t>& threads);

}  // namespace atl::launcher
