#include "launcher/diagnose/debuggers.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

// Starts a command in the background. Its process is treated like those that ranks leave
// behind, and ends with the job at the latest.
bool start(const std::string& command) {
  const char* words[] = {"/bin/sh", "-c", command.c_str(), nullptr};
  sigset_t none;
  ::sigemptyset(&none);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, words[0], nullptr, &attributes,
                                  const_cast<char* const*>(words), environ);
  ::posix_spawnattr_destroy(&attributes);
  return error == 0;
}

}  // namespace

std::string window_command(const std::string& title, const std::string& command, const char* tmux,
                           const char* display) {
  if (tmux != nullptr && *tmux != '\0') {
    return fmt::format("tmux new-window -d -n '{}' '{}'", title, command);
  }
  if (display != nullptr && *display != '\0')
    return fmt::format("xterm -T '{}' -e {}", title, command);
  return {};
}

std::string Debuggers::check(std::uint32_t rank, const shm::RankSlot& slot) {
  const pid_t process = rank_process(slot);
  if (process == 0 || !met_.insert(rank).second) return {};
  const char* chosen = std::getenv("ATOLL_DEBUGGER");
  const std::string debugger =
      fmt::format("{} {}", chosen != nullptr ? chosen : "gdb -q -p", process);
  const std::string window = window_command(fmt::format("rank {}", rank), debugger,
                                            std::getenv("TMUX"), std::getenv("DISPLAY"));
  if (opens_ && !window.empty() && start(window)) return {};
  return fmt::format(
      "rank {} waits in MPI_Init: '{}' attaches to it, 'kill -CONT {}' lets it go on", rank,
      debugger, process);
}

}  // namespace atl::launcher
