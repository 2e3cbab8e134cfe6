// How the processes of a job are ended: they are asked to end, and killed when they do not.
#pragma once

#include <chrono>
#include <optional>

#include "launcher/stdio/console.h"

namespace atl::launcher {

// Sends a signal to all processes of the job; but to those in the group of mpiexec only if
// the terminal has not done so.
void send_to_job(int signal, bool already_in_our_group);

class Termination {
 public:
  explicit Termination(Console& console) : console_(console) {}

  // SIGTERM; what is left after a while is killed.
  void ask();
  void kill();

  bool begun() const { return stage_ != Stage::none; }
  // Some processes do not even end when they are killed.
  bool abandoned() const { return stage_ == Stage::abandoned; }

  // When to go on with it.
  std::optional<Clock::time_point> due() const { return due_; }
  void go_on(Clock::time_point now);

 private:
  // Each step is one way.
  enum class Stage { none, asked, killed, abandoned };

  Console& console_;
  Stage stage_ = Stage::none;
  std::optional<Clock::time_point> due_;
  int kills_left_ = 0;
};

}  // namespace atl::launcher
