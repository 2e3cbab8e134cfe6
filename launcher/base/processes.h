// Information of /proc about the processes of a job.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace atl::launcher {

// The descendants of `ancestor`, at any depth, as far as they are visible.
std::vector<pid_t> descendants(pid_t ancestor);

bool has_children();

// A child that has ended and is not reaped yet; 0: there is none.
pid_t ended_child();

// All such children, from /proc.
std::vector<pid_t> ended_children();

// The processing unit that a process ran on last, also when it has ended and
// is not reaped yet; -1 when it is not known.
int last_cpu(pid_t pid);

// R runs, S sleeps, D waits for a device, T and t are stopped, Z has ended; 0 is unknown.
char state_of(pid_t pid);

// Processor time that the process has used, in seconds; 0 when it is not known.
double processor_seconds(pid_t pid);

// How long the process has run; infinite when that is not known.
double seconds_since_start(pid_t pid);

// The pids of all visible processes, ascending.
std::vector<pid_t> all_pids();

// The contents of a small file, such as those of /proc; empty when it cannot be read.
std::string read_file(const std::string& path);

// The value after `name`, such as "\nState:", in the text of /proc/PID/status.
std::string_view status_value(std::string_view status, std::string_view name);

}  // namespace atl::launcher
