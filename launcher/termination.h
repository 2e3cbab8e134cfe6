// Ends the processes of a job: SIGTERM first, then SIGKILL for those that remain.
#pragma once

#include <chrono>
#include <optional>

#include "launcher/stdio/console.h"

namespace atl::launcher {

// Sends a signal to all processes of the job; with `already_in_our_group` not to those in the
// process group of mpiexec, to which the terminal has sent it.
void send_to_job(int signal, bool already_in_our_group);

class Termination {
 public:
  explicit Termination(Console& console) : console_(console) {}

  // Sends SIGTERM; go_on() kills the remaining processes after a grace period.
  void ask();
  void kill();

  bool begun() const { return stage_ != Stage::none; }
  // Some processes have not ended even after SIGKILL.
  bool abandoned() const { return stage_ == Stage::abandoned; }

  // When to call go_on() next.
  std::optional<Clock::time_point> due() const { return due_; }
  void go_on(Clock::time_point now);

 private:
  // The stages are entered in this order.
  enum class Stage { none, asked, killed, abandoned };

  Console& console_;
  Stage stage_ = Stage::none;
  std::optional<Clock::time_point> due_;
  int kills_left_ = 0;
};

}  // namespace atl::launcher
