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

// Whether what is done here is done by the rank, rather than before it is one or in
// a process that it has forked.
bool is_rank() { return process.segment && process.phase != Phase::forked; }

void flush_unless_held(std::FILE* stream) {
  if (::ftrylockfile(stream) != 0) return;
  std::fflush(stream);
  ::funlockfile(stream);
}

void* flush_all(void*) {
  flush_unless_held(stdout);  // first of all: the next line may wait for another stream
  std::fflush(nullptr);
  return nullptr;
}

// Writes what the program has printed. For a stream in which a thread sits, reading
// from a terminal for instance, or of which nobody reads the other end, the end of the
// job does not wait for long.
void flush_streams() {
  constexpr time_t kPatience = 2;  // seconds
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, flush_all, nullptr) == 0) {
    timespec limit{};
    ::clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += kPatience;
    ::pthread_timedjoin_np(thread, nullptr, &limit);
  }
  flush_unless_held(stdout);  // this thread may itself have locked it
}

}  // namespace

void note_sentence(int error_code, const std::string& sentence) { last = {error_code, sentence}; }

const std::string& last_sentence(int error_code) {
  static const std::string none;
  return last.error_code == error_code ? last.text : none;
}

void end_with_error(const std::string& sentence, int error_code, const std::string& label) {
  constexpr std::uint32_t kReported = shm::JobState::kErrorReported;
  // Relaxed would do: only who comes first matters.
  if (!is_rank() ||
      process.segment->state().error_reported.exchange_acq_rel(kReported) != kReported) {
    const std::string where = label.empty() ? "" : " (error handler of " + label + ")";
    // Not by the stream: another thread may sit in it.
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
    slot.abort_code.store_relaxed(code);  // published with `life`
    // Pairs with the launcher's acquire when this process has ended.
    slot.life.store_release(static_cast<std::uint32_t>(shm::Life::aborted));
  }
  ::_exit(code);
}

}  // namespace atl
