#include "runtime/objects/error_handling.h"

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

}  // namespace

void note_sentence(int error_code, const std::string& sentence) { last = {error_code, sentence}; }

const std::string& last_sentence(int error_code) {
  static const std::string none;
  return last.error_code == error_code ? last.text : none;
}

void end_with_error(const std::string& sentence, int error_code, const std::string& label) {
  // Relaxed would do: only who comes first matters.
  if (!is_rank() || process.segment->header().error_reported.exchange_acq_rel(1) == 0) {
    const std::string where = label.empty() ? "" : " (error handler of " + label + ")";
    std::fprintf(stderr, "rank %u: %s [%s]%s\n", process.rank, sentence.c_str(),
              error_name(error_code).c_str(), where.c_str());
  }
  abort_job(error_code);
}

void abort_job(int code) {
  std::fflush(nullptr);
  if (is_rank() && process.phase != Phase::finalized) {
    shm::RankSlot& slot = process.slot();
    slot.abort_code.store_relaxed(code);  // published with `life`
    // Pairs with the launcher's acquire when this process has ended.
    slot.life.store_release(static_cast<std::uint32_t>(shm::Life::aborted));
  }
  ::_exit(code);
}

}  // namespace atl
