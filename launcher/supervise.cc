#include "launcher/supervise.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "launcher/base/processes.h"
#include "launcher/base/text.h"
#include "launcher/diagnose/crash_report.h"
#include "launcher/diagnose/diagnosis.h"
#include "launcher/diagnose/rank_states.h"
#include "launcher/diagnose/records.h"
#include "launcher/diagnose/source_location.h"
#include "launcher/process/dead_ranks.h"

namespace atl::launcher {
namespace {

// Tags of the poller; smaller tags are ranks.
constexpr std::uint64_t kSignalsTag = 1u << 30;
constexpr std::uint64_t kConsoleTag = kSignalsTag + 1;
constexpr std::uint64_t kInputTag = kSignalsTag + 2;

constexpr auto kSameInterrupt = std::chrono::milliseconds(250);
constexpr int kTimeoutStatus = 124;
constexpr int kDeadlockStatus = 123;
// Three samples detect a deadlock, so it is reported within a second.
constexpr auto kCheckInterval = std::chrono::milliseconds(200);

std::int64_t monotonic_ns() {
  return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

}  // namespace

Supervisor::Supervisor(const Plan& plan, const shm::Segment& segment, Console& console,
                       Signals& signals, InputCopier* copier)
    : plan_(plan),
      segment_(segment),
      console_(console),
      signals_(signals),
      copier_(copier),
      termination_(console),
      deadlock_watch_(segment),
      debuggers_(plan.debug) {
  next_check_at_ = Clock::now() + kCheckInterval;
  poller_.add(signals.descriptor(), EPOLLIN, kSignalsTag);
  if (copier_ != nullptr) {
    poller_.add(copier_->events(), EPOLLIN, kInputTag);
    input_may_advance_ = true;
  }
  if (plan.timeout > 0) {
    timeout_at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(plan.timeout));
  }
}

void Supervisor::add(const StartedRank& started, const Program& program) {
  poller_.add(started.pidfd, EPOLLIN, ranks_.size());
  ranks_.push_back({started.pid, Descriptor(started.pidfd), program.name(), program.file()});
  ++running_;
}

void Supervisor::give_up(const StartFailure& failure) {
  console_.say(failure.text);
  status_ = failure.status;
  termination_.kill();
}

int Supervisor::run() {
  while (!finished()) wait_and_handle();
  signals_.restore();
  console_.finish();
  const int status = final_status();
  console_.finish();
  return status;
}

// Processes that ranks started and left behind end with the job.
bool Supervisor::finished() {
  if (termination_.abandoned()) return true;
  if (running_ > 0) return false;
  give_back_pids();
  while (collect_orphans()) {
  }
  const bool children = has_children();
  if (children && !termination_.begun()) termination_.ask();
  return !children;
}

void Supervisor::wait_and_handle() {
  console_.watch(poller_, kConsoleTag);
  bool signals = false;
  for (const epoll_event& event : poller_.wait(milliseconds_to_wait())) {
    switch (event.data.u64) {
      case kSignalsTag: signals = true; break;
      case kConsoleTag: console_.advance(); break;
      case kInputTag: input_may_advance_ = true; break;
      default: collect_rank(event.data.u64);
    }
  }
  // After the ranks, which epoll reports in the order in which they ended.
  if (signals) handle_signals();
  if (orphans_may_wait_) orphans_may_wait_ = collect_orphans();
  if (input_may_advance_) input_may_advance_ = copier_->advance();
  handle_deadlines();
}

int Supervisor::milliseconds_to_wait() const {
  if (input_may_advance_) return 0;
  std::optional<Clock::time_point> next;
  for (const auto& due :
       {termination_.due(), timeout_at_, std::optional(next_check_at_), console_.due()}) {
    if (due && (!next || *due < *next)) next = due;
  }
  if (!next) return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(wait, 0, 1000000));
}

void Supervisor::handle_deadlines() {
  const auto now = Clock::now();
  console_.show_due(now);
  if (timeout_at_ && *timeout_at_ <= now) handle_timeout();
  if (next_check_at_ <= now) check_ranks();
  termination_.go_on(now);
}

void Supervisor::handle_timeout() {
  timeout_at_.reset();
  if (termination_.begun() || running_ == 0) return;
  console_.say(fmt::format("the job did not end within {} s (--timeout); it was waiting so:",
                           plan_.timeout));
  say_wait_table(ask_ranks());
  status_ = kTimeoutStatus;
  termination_.ask();
}

// --- ranks that end ---

void Supervisor::collect_rank(std::size_t number) {
  Rank& rank = ranks_[number];
  siginfo_t info{};
  if (!rank.running ||
      ::waitid(P_PID, static_cast<id_t>(rank.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return;
  }
  RankEnd end = end_of_rank(number, rank.pid, info.si_code != CLD_EXITED, info.si_status);
  end.core_dumped = info.si_code == CLD_DUMPED;
  rank.held = ended_in_mpi(end.state.life);
  if (!rank.held) ::waitpid(rank.pid, nullptr, 0);
  if (rank.pidfd.open()) poller_.remove(rank.pidfd.number());
  rank.pidfd.close();
  rank.running = false;
  rank.used_mpi = end.state.life != shm::Life::launched;
  rank.how_ended = how(end);
  --running_;
  judge(end);
}

// Reaps the ranks that were held because others might copy from and to them.
void Supervisor::give_back_pids() {
  for (Rank& rank : ranks_) {
    if (std::exchange(rank.held, false)) ::waitpid(rank.pid, nullptr, 0);
  }
}

RankEnd Supervisor::end_of_rank(std::size_t number, pid_t pid, bool killed, int value) {
  RankEnd end;
  end.rank = static_cast<int>(number);
  end.program = ranks_[number].program;
  end.pid = pid;
  end.killed = killed;
  end.value = value;
  const shm::RankSlot& slot = segment_.slot(static_cast<std::uint32_t>(number));
  end.state = read_state(slot, false, ranks_.size());
  end.state.life = ranks_[number].last_life.value_or(end.state.life);
  end.state.crash =
      describe_crash(segment_.crash(static_cast<std::uint32_t>(number)), source_in_file);
  // Relaxed: read_state() above acquired `life`, which abort_job() stores after abort_code.
  end.abort_code = slot.abort_code.load_relaxed();
  if (failed(end)) end.cpu = last_cpu(end.pid);
  return end;
}

void Supervisor::judge(const RankEnd& end) {
  const bool first = failed(end) && !status_;
  if (first) status_ = exit_status(end);
  const bool stop = ends_job(end) && !termination_.begun() && !plan_.keep_going;
  if (((first || stop) && !is_expected(end)) || plan_.verbose) {
    console_.advance();  // the rank's output first
    std::string text = describe(end);
    if (const auto others = ranks_that_take_part(); stop && others > 0) {
      text += fmt::format("; stopping the other {}", counted(static_cast<int>(others), "rank"));
    }
    console_.say(text);
    // After MPI_Abort no summary: the program knows the reason.
    const bool aborted = end.state.life == shm::Life::aborted;
    if (stop && !aborted && !is_expected(end)) say_what_others_wait_for();
  }
  if (stop) {
    termination_.ask();
  } else if (plan_.keep_going) {
    Rank& rank = ranks_[static_cast<std::size_t>(end.rank)];
    rank.to_be_marked = !rank.last_life && ended_in_mpi(end.state.life);
    mark_dead_ranks();
  }
}

// Ranks that continue may wait for locks of those that have ended in MPI. Not while the job is
// being ended: then they print no errors about each other.
void Supervisor::mark_dead_ranks() {
  if (termination_.begun()) return;
  for (std::uint32_t number = 0; number < ranks_.size(); ++number) {
    Rank& rank = ranks_[number];
    const shm::RankSlot& slot = segment_.slot(number);
    if (!rank.to_be_marked || outlives(slot, rank.pid)) continue;
    rank.to_be_marked = false;
    // Relaxed: the process that stored it has ended.
    const auto life = static_cast<shm::Life>(slot.life.load_relaxed());
    if (!ended_in_mpi(life)) continue;
    rank.last_life = life;
    mark_killed(segment_, number);
  }
}

// Called once, when a rank has failed and the others are about to be ended.
void Supervisor::say_what_others_wait_for() {
  const std::string others = wait_summary(ask_ranks());
  if (!others.empty()) console_.say("meanwhile: " + others);
}

// Whether the user knows the reason of this end already.
bool Supervisor::is_expected(const RankEnd& end) const {
  // Relaxed: end_with_error() writes error_reported before abort_job() releases `life`,
  // which read_state() acquired.
  const bool reported =
      end.state.life == shm::Life::aborted &&
      segment_.state().error_reported.load_relaxed() == shm::JobState::kErrorReported;
  const bool interrupted = (ended_by_user_ != 0 && exit_status(end) == 128 + ended_by_user_) ||
                           (quit_sent_ && end.killed && end.value == SIGQUIT);
  const bool reader_left = end.killed && end.value == SIGPIPE && console_.output_is_broken();
  return reported || reader_left || interrupted || termination_.begun();
}

// Reaps children of ranks, which become children of mpiexec when their parent ends. True
// when there may be more behind a rank that has to be collected first.
bool Supervisor::collect_orphans() {
  while (const pid_t pid = ended_child()) {
    const auto rank = rank_of(pid);
    if (rank && ranks_[*rank].held) {
      collect_orphans_behind_held_ranks();
      return false;
    }
    if (rank && ranks_[*rank].pidfd.open()) return true;
    if (rank) {
      collect_rank(*rank);  // before Linux 5.2, where clone() has no pidfd
    } else {
      ::waitpid(pid, nullptr, 0);
    }
  }
  return false;
}

// waitid() does not report these children while an earlier child is not reaped.
void Supervisor::collect_orphans_behind_held_ranks() {
  for (const pid_t pid : ended_children()) {
    const auto rank = rank_of(pid);
    if (!rank) ::waitpid(pid, nullptr, 0);
    if (rank && ranks_[*rank].running && !ranks_[*rank].pidfd.open()) collect_rank(*rank);
  }
}

std::ptrdiff_t Supervisor::ranks_that_take_part() const {
  return std::count_if(ranks_.begin(), ranks_.end(),
                       [](const Rank& rank) { return rank.running && !rank.lost; });
}

// The rank whose process, running or held, has that pid.
std::optional<std::size_t> Supervisor::rank_of(pid_t pid) const {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].pid == pid && (ranks_[rank].running || ranks_[rank].held)) return rank;
  }
  return std::nullopt;
}

// --- signals ---

void Supervisor::handle_signals() {
  while (const auto info = signals_.next()) handle_signal(*info);
}

void Supervisor::handle_signal(const signalfd_siginfo& info) {
  const int signal = static_cast<int>(info.ssi_signo);
  switch (signal) {
    case SIGCHLD: orphans_may_wait_ = true; break;
    case SIGINT:
    case SIGTERM:
    case SIGHUP: handle_interrupt(info); break;
    case SIGQUIT:
      say_wait_table(ask_ranks());
      quit_sent_ = true;
      send_to_job(signal, from_terminal(info));
      break;
    case SIGTSTP:
      send_to_job(signal, from_terminal(info));
      signals_.suffer(SIGTSTP);
      break;
    default: send_to_job(signal, from_terminal(info));
  }
}

// Forwards the signal, which the ranks may handle. A second SIGINT kills them; but not within
// kSameInterrupt, since `timeout` and similar programs send a signal to mpiexec and at once
// again to its process group.
void Supervisor::handle_interrupt(const signalfd_siginfo& info) {
  const int signal = static_cast<int>(info.ssi_signo);
  const auto now = Clock::now();
  const bool again =
      signal == SIGINT && ended_by_user_ == SIGINT && now - interrupted_at_ > kSameInterrupt;
  if (!again) {
    ended_by_user_ = signal;
    interrupted_at_ = now;
    send_to_job(signal, from_terminal(info));
    return;
  }
  if (!status_) status_ = 128 + SIGINT;
  termination_.kill();
}

// --- what ranks wait for ---

void Supervisor::check_ranks() {
  next_check_at_ = Clock::now() + kCheckInterval;
  if (plan_.waits_at_init) check_debugged_ranks();
  if (termination_.begun() || running_ == 0) return;
  check_lost_ranks();
  mark_dead_ranks();
  if (termination_.begun() || ended_by_user_ != 0) return;
  if (ranks_[0].running) library_.check(segment_.slot(0), ranks_[0].pid);
  if (!deadlock_said_) check_deadlock();
}

// Finds ranks that have ended while the process that mpiexec started for them still runs.
void Supervisor::check_lost_ranks() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!takes_part(rank)) continue;
    const auto lost = wrapped_ranks_.check(rank, segment_.slot(rank), ranks_[rank].pid);
    if (!lost) continue;
    ranks_[rank].lost = true;
    const int crash = crash_signal(segment_.crash(rank));
    const int status = lost->status.value_or(crash);
    const bool killed = WIFSIGNALED(status);
    RankEnd end =
        end_of_rank(rank, lost->pid, killed, killed ? WTERMSIG(status) : WEXITSTATUS(status));
    end.known = lost->status || crash != 0;
    ranks_[rank].how_ended = how(end);
    judge(end);
  }
}

void Supervisor::check_deadlock() {
  const auto runs = [this](std::uint32_t rank) { return takes_part(rank); };
  const Outlook outlook = deadlock_watch_.sample(static_cast<std::uint32_t>(ranks_.size()), runs);
  if (outlook == Outlook::open) return;
  deadlock_said_ = true;
  console_.advance();  // the ranks' output first
  say_deadlock(outlook, ask_ranks());
  if (plan_.keep_deadlock || outlook == Outlook::signal_only) return;
  status_ = kDeadlockStatus;
  termination_.ask();
}

void Supervisor::say_deadlock(Outlook outlook, std::span<const RankState> states) {
  const char* what = outlook == Outlook::deadlock ? "deadlock: every" : "every";
  const char* unless = outlook == Outlook::deadlock ? "" : "; only a signal could end that";
  console_.say(fmt::format("{} rank waits in MPI, and nothing is on its way to any of them{}", what,
                           unless));
  say_wait_table(states);
  if (const std::string circle = waiting_circle(states); !circle.empty()) console_.say(circle);
  for (const std::string& cause : likely_causes(states)) console_.say("likely cause: " + cause);
}

std::vector<RankState> Supervisor::ask_ranks() {
  const auto runs = [this](std::uint32_t rank) { return takes_part(rank); };
  auto states = inquire(segment_, static_cast<std::uint32_t>(ranks_.size()), runs);
  for (std::size_t rank = 0; rank < states.size(); ++rank) {
    states[rank].how_ended = ranks_[rank].how_ended;
  }
  return states;
}

void Supervisor::say_wait_table(std::span<const RankState> states) {
  for (const std::string& line : split(wait_table(states, monotonic_ns()), '\n')) {
    console_.error().say(line);
  }
}

// --- remarks ---

void Supervisor::check_debugged_ranks() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const bool waits = plan_.waits_at_init->contains(static_cast<int>(rank));
    if (!waits || !ranks_[rank].running) continue;
    const std::string text = debuggers_.check(rank, segment_.slot(rank));
    if (!text.empty()) console_.say(text);
  }
}

void Supervisor::say_exit_codes() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    console_.say(fmt::format("rank {} {}", rank, ranks_[rank].how_ended));
  }
}

void Supervisor::say_if_mpi_was_not_used() {
  const bool used =
      std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.used_mpi; });
  if (used || ranks_.size() < 2 || status_ || ended_by_user_ != 0) return;
  const std::string warning = library_.warning(ranks_[0].program, ranks_[0].file);
  if (!warning.empty()) console_.say(warning);
}

int Supervisor::final_status() {
  if (plan_.print_exit_codes) say_exit_codes();
  say_if_mpi_was_not_used();
  const int error = console_.output().writer().error();
  if (error != 0 && error != EPIPE) {
    console_.say(fmt::format("cannot write standard output: {}", std::strerror(error)));
    if (!status_ || *status_ == 128 + SIGPIPE) status_ = 1;  // the ranks got SIGPIPE for it
  }
  const int status = status_.value_or(0);
  // The parent of mpiexec, such as a shell with a loop, must see that it was interrupted.
  if (ended_by_user_ != 0 && ended_by_user_ != SIGQUIT && status == 128 + ended_by_user_) {
    ::signal(ended_by_user_, SIG_DFL);
    ::raise(ended_by_user_);
  }
  return status;
}

}  // namespace atl::launcher
