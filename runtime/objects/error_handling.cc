#include "runtime/objects/error_handling.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/core/process.h"
#include "runtime/objects/error_codes.h"

namespace atl {
namespace {

struct Sentence {
  int error_code = MPI_SUCCESS;
  std::string text;
};
thread_local Sentence last;

// Whether this process is a rank: false before it has attached the segment, and in a process that
// a rank has forked.
bool is_rank() { return process.segment && process.phase != Phase::forked; }

void flush_unless_held(std::FILE* stream) {
  if (::ftrylockfile(stream) != 0) return;
  std::fflush(stream);
  ::funlockfile(stream);
}

void* flush_all(void*) {
  flush_unless_held(stdout);  // first, since the next line may block on another stream
  std::fflush(nullptr);
  return nullptr;
}

// Flushes the program's output. This may block: a thread may hold the lock of a stream, for
// instance while it reads from a terminal, or nobody may read the other end of a pipe. So another
// thread flushes, for which the end of the job waits at most kPatience.
void flush_streams() {
  constexpr time_t kPatience = 2;  // seconds
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, flush_all, nullptr) == 0) {
    timespec limit{};
    ::clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += kPatience;
    ::pthread_timedjoin_np(thread, nullptr, &limit);
  }
  flush_unless_held(stdout);  // again: this thread itself may hold its lock
}

}  // namespace

void note_sentence(int error_code, const std::string& sentence) { last = {error_code, sentence}; }

const std::string& last_sentence(int error_code) {
  static const std::string none;
  return last.error_code == error_code ? last.text : none;
}

void end_with_error(const std::string& sentence, int error_code, const std::string& label) {
  constexpr std::uint32_t kReported = shm::JobState::kErrorReported;
  // Pairs with itself in other ranks: only the first rank prints. Relaxed would suffice, since no
  // other data depends on it. The launcher reads it after `life`, whose release orders it.
  if (!is_rank() ||
      process.segment->state().error_reported.exchange_acq_rel(kReported) != kReported) {
    const std::string where = label.empty() ? "" : " (error handler of " + label + ")";
    // Not through stderr, whose lock another thread may hold.
    ::dprintf(STDERR_FILENO, "rank %u: %s [%s]%s\n", process.rank, sentence.c_str(),
              error_name(error_code).c_str(), where.c_str());
  }
  abort_job(error_code);
}

void end_with_failed_check(const char* sentence) {
  const char* call = process.activity.call;
  end_with_error(std::string(call != nullptr ? call : "MPI") + ": " + sentence, MPI_ERR_INTERN, "");
}

void abort_job(int code) {
  flush_streams();
  if (is_rank() && process.phase != Phase::finalized) {
    shm::RankSlot& slot = process.slot();
    slot.abort_code.store_relaxed(code);  // Relaxed: published by the store of `life`
    // Pairs with the load of `life` in the launcher's read_state() after this process has ended.
    slot.life.store_release(static_cast<std::uint32_t>(shm::Life::aborted));
  }
  ::_exit(code);
}

}  // namespace atl
