// Supervises a job from the start of the ranks to its end.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launcher/base/poller.h"
#include "launcher/diagnose/deadlock_watch.h"
#include "launcher/diagnose/debuggers.h"
#include "launcher/diagnose/rank_end.h"
#include "launcher/placement/plan.h"
#include "launcher/process/signals.h"
#include "launcher/process/spawn.h"
#include "launcher/process/warnings.h"
#include "launcher/process/wrapped_ranks.h"
#include "launcher/stdio/console.h"
#include "launcher/stdio/input_copier.h"
#include "launcher/termination.h"
#include "shm/segment.h"

namespace atl::launcher {

class Supervisor {
 public:
  Supervisor(const Plan& plan, const shm::Segment& segment, Console& console, Signals& signals,
             InputCopier* copier);

  // Called in the order of the ranks.
  void add(const StartedRank& started, const Program& program);

  // A rank could not be started: ends the ranks that were.
  void give_up(const StartFailure& failure);

  // Returns when every process of the job has ended and its output is written. The result
  // is the exit status of mpiexec.
  int run();

 private:
  struct Rank {
    pid_t pid;
    Descriptor pidfd;
    std::string program;
    std::string file;
    bool running = true;
    bool lost = false;  // its process has ended, but the process that mpiexec started runs
    bool held = false;  // ended, but not reaped yet, so that its pid is not reused
    bool used_mpi = false;
    bool to_be_marked = false;  // it ended in MPI, and the other ranks do not know that yet
    std::optional<shm::Life> last_life{};  // before it was marked: what the rank has written
    std::string how_ended{};
  };

  bool finished();
  void wait_and_handle();
  int milliseconds_to_wait() const;
  void handle_deadlines();
  void handle_signals();
  void handle_signal(const signalfd_siginfo& info);
  void handle_interrupt(const signalfd_siginfo& info);
  void handle_timeout();

  void collect_rank(std::size_t rank);
  void give_back_pids();
  RankEnd end_of_rank(std::size_t rank, pid_t pid, bool killed, int value);
  void judge(const RankEnd& end);
  void mark_dead_ranks();
  bool is_expected(const RankEnd& end) const;
  void say_what_others_wait_for();
  bool collect_orphans();
  void collect_orphans_behind_held_ranks();
  std::optional<std::size_t> rank_of(pid_t pid) const;
  std::ptrdiff_t ranks_that_take_part() const;
  bool takes_part(std::uint32_t rank) const { return ranks_[rank].running && !ranks_[rank].lost; }

  void check_ranks();
  void check_lost_ranks();
  void check_deadlock();
  void say_deadlock(Outlook outlook, std::span<const RankState> states);
  std::vector<RankState> ask_ranks();
  void say_wait_table(std::span<const RankState> states);
  void check_debugged_ranks();
  void say_exit_codes();
  void say_if_mpi_was_not_used();
  int final_status();

  const Plan& plan_;
  const shm::Segment& segment_;
  Console& console_;
  Signals& signals_;
  InputCopier* copier_;
  Poller poller_;

  std::vector<Rank> ranks_;
  std::size_t running_ = 0;
  bool orphans_may_wait_ = false;
  bool input_may_advance_ = false;

  std::optional<int> status_;  // of the first failure
  int ended_by_user_ = 0;      // a signal, 0 = none
  bool quit_sent_ = false;     // SIGQUIT
  Clock::time_point interrupted_at_;
  Termination termination_;
  std::optional<Clock::time_point> timeout_at_;
  DeadlockWatch deadlock_watch_;
  bool deadlock_said_ = false;
  WrappedRanks wrapped_ranks_;
  Debuggers debuggers_;
  Clock::time_point next_check_at_;
  UnusedLibrary library_;
};

}  // namespace atl::launcher
