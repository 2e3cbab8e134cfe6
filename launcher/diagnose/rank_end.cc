#include "launcher/diagnose/rank_end.h"

#include <cstring>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

bool aborted(const RankEnd& end) { return end.state.life == shm::Life::aborted; }

bool left_without_finalize(const RankEnd& end) {
  return !end.killed && end.state.life == shm::Life::initialized;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const char* meaning = ::sigdescr_np(signal);
  if (name == nullptr || meaning == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("signal {}, SIG{} ({})", signal, name, meaning);
}

std::string result(const RankEnd& end) {
  return end.known ? fmt::format("returned {}", end.value) : "has ended";
}

// Where the rank was when the signal arrived.
std::string where(const RankState& state) {
  if (!state.crash.empty()) return ", " + state.crash;
  if (state.waiting) return ", waiting in " + describe_wait(*state.waiting);
  if (state.damaged) return "";
  switch (state.life) {
    case shm::Life::initialized: return ", not waiting in MPI";
    case shm::Life::finalized:
    case shm::Life::sessions: return ", after MPI_Finalize";
    default: return "";
  }
}

}  // namespace

bool failed(const RankEnd& end) {
  return end.killed || end.value != 0 || aborted(end) || left_without_finalize(end);
}

int exit_status(const RankEnd& end) {
  if (end.killed && !aborted(end)) return 128 + end.value;
  const int code = aborted(end) ? end.abort_code : end.value;
  if (code != 0) return (code & 0xff) != 0 ? code & 0xff : 1;  // a failure must not look like 0
  return left_without_finalize(end) ? 1 : 0;
}

bool ends_job(const RankEnd& end) {
  return failed(end) && (end.killed || end.state.life != shm::Life::finalized);
}

std::string how(const RankEnd& end) {
  if (aborted(end)) return fmt::format("called MPI_Abort with code {}", end.abort_code);
  if (end.killed) return "was killed by " + signal_name(end.value);
  std::string text = result(end);
  if (end.state.life == shm::Life::launched) text += " without calling MPI_Init";
  if (end.state.life == shm::Life::sessions) text += " with a session open";
  return left_without_finalize(end) ? text + " without calling MPI_Finalize" : text;
}

std::string describe(const RankEnd& end) {
  std::string text = fmt::format("rank {} ({}, pid {}", end.rank, end.program, end.pid);
  if (end.cpu >= 0) text += fmt::format(", cpu {}", end.cpu);
  text += ") ";
  if (aborted(end)) return text + fmt::format("called MPI_Abort with code {}", end.abort_code);
  if (end.killed) {
    text += how(end) + where(end.state);
    return end.core_dumped ? text + ", core dumped" : text;
  }
  text += result(end);
  return left_without_finalize(end) ? text + " without calling MPI_Finalize" : text;
}

}  // namespace atl::launcher
