#include "runtime/comm/raise.h"

#include <string>

#include "runtime/core/process.h"

namespace atl {
namespace {

void handle(Communicator& communicator, const std::string& sentence, int& code) {
  handle_error(communicator.errhandler(), Communicators::handle(communicator), sentence, code,
               [&] { return communicator.label(); });
}

}  // namespace

int raise(Fault fault, Communicator* communicator, const char* call) {
  int code = fault.error_class();
  const std::string sentence = std::string(call) + ": " + fault.text();
  note_sentence(code, sentence);
  if (fault.communicator() != nullptr) communicator = fault.communicator();
  if (communicator == nullptr && process.phase == Phase::running) {
    communicator = &communicators.self();
  }
  if (communicator != nullptr) {
    handle(*communicator, sentence, code);
  } else {
    handle_error(initial_errhandler(), MPI_COMM_NULL, sentence, code, [] { return std::string(); });
  }
  return code;
}

Fault call_handler(Communicator& communicator, int error_code) {
  const OutsideMpi outside;
  handle(communicator,
         "MPI_Comm_call_errhandler: called with errorcode=" + std::to_string(error_code),
         error_code);
  return {};
}

}  // namespace atl
