// Starts debuggers for ranks that wait for them in MPI_Init (--debug, --stop-at-init).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>

#include "shm/job.h"

namespace atl::launcher {

class Debuggers {
 public:
  // `opens`: open windows where possible.
  explicit Debuggers(bool opens) : opens_(opens) {}

  // When the rank, which waits for a debugger, is seen in MPI for the first time: starts the
  // debugger, or returns the message for the user.
  std::string check(std::uint32_t rank, const shm::RankSlot& slot);

 private:
  bool opens_;
  std::set<std::uint32_t> met_;
};

// The command that opens a window in which `command` runs; empty when no window can be
// opened. `tmux` and `display` are the values of TMUX and DISPLAY, or null.
std::string window_command(const std::string& title, const std::string& command, const char* tmux,
                           const char* display);

}  // namespace atl::launcher
