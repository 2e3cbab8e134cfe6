#include "runtime/comm/raise.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "runtime/core/process.h"
#include "runtime/objects/error_classes.h"

namespace atl {
namespace {

struct Sentence {
  int error_class = MPI_SUCCESS;
  std::string text;
};
thread_local Sentence last;  // what MPI_Error_string adds

// One line on standard error, unless another rank has ended the job already.
void report(const std::string& sentence, int error_class, const Communicator* communicator) {
  if (process.segment &&
      // Relaxed would do: only who comes first matters.
      process.segment->header().error_reported.exchange_acq_rel(1) != 0) {
    return;
  }
  const char* name = error_class_name(error_class);
  const std::string where =
      communicator == nullptr ? "" : " (error handler of " + communicator->label() + ")";
  std::fprintf(stderr, "rank %u: %s [%s]%s\n", process.rank, sentence.c_str(),
               name != nullptr ? name : "unknown error class", where.c_str());
}

// True when `handler` returns to the caller; `error_code` is what it leaves.
void run(Errhandler& handler, Communicator* communicator, const std::string& sentence,
         int& error_code) {
  if (&handler == &errors_return()) return;
  if (handler.function != nullptr) {
    MPI_Comm handle = Communicators::handle(*communicator);
    retain(handler);  // the callback may free or replace it
    handler.function(&handle, &error_code);
    release(handler);
    return;
  }
  report(sentence, error_code, communicator);
  abort_job(error_code);
}

}  // namespace

int raise(Fault fault, Communicator* communicator, const char* call) {
  int code = fault.error_class();
  if (fault.communicator() != nullptr) communicator = fault.communicator();
  if (communicator == nullptr && communicators.exist()) communicator = &communicators.self();
  last = {code, std::string(call) + ": " + fault.text()};
  const std::string sentence = last.text;
  Errhandler& handler = communicator != nullptr ? communicator->errhandler() : errors_are_fatal();
  run(handler, communicator, sentence, code);
  return code;
}

Fault call_handler(Communicator& communicator, int error_code) {
  const OutsideMpi outside;
  run(communicator.errhandler(), &communicator, "MPI_Comm_call_errhandler was called", error_code);
  return {};
}

const std::string& last_sentence(int error_class) {
  static const std::string none;
  return last.error_class == error_class ? last.text : none;
}

void abort_job(int code) {
  std::fflush(nullptr);
  if (process.segment && process.phase != Phase::finalized) {
    shm::RankSlot& slot = process.slot();
    slot.abort_code.store_relaxed(code);  // published with `life`
    // Pairs with the launcher's acquire when this process has ended.
    slot.life.store_release(static_cast<std::uint32_t>(shm::Life::aborted));
  }
  ::_exit(code);
}

}  // namespace atl
