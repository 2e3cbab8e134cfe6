// Debuggers for ranks that wait for them in MPI_Init (--debug, --stop-at-init).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>

#include "shm/job.h"

namespace atl::launcher {

class Debuggers {
 public:
  // `opens`: windows are opened where that can be done.
  explicit Debuggers(bool opens) : opens_(opens) {}

  // The first time that the rank, which waits for a debugger, is seen in MPI: starts
  // it. What the user has to be told, if anything.
  std::string look(std::uint32_t rank, const shm::RankSlot& slot);

 private:
  bool opens_;
  std::set<std::uint32_t> met_;
};

// The command that opens a window in which `command` runs; empty when there is no
// place for windows. `tmux` and `display` are the values of TMUX and DISPLAY, or null.
std::string window_command(const std::string& title, const std::string& command, const char* tmux,
                           const char* display);

}  // namespace atl::launcher
