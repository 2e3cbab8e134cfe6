#include "runtime/comm/raise.h"

#include <string>

#include "runtime/core/process.h"

namespace atl {
namespace {

void handle(Communicator& communicator, const std::string& sentence, int& code) {
  handle_error(communicator.errhandler(), Communicators::handle(communicator), sentence, code,
               [&] { return communicator.label(); });
}

void handle(Session& session, const std::string& sentence, int& code) {
  handle_error(session.errhandler(), Sessions::handle(session), sentence, code,
               [] { return std::string("a session"); });
}

std::string noted_sentence(Fault fault, const char* call) {
  std::string sentence = std::string(call) + ": " + fault.text();
  note_sentence(fault.error_class(), sentence);
  return sentence;
}

std::string called_with(const char* call, int error_code) {
  return std::string(call) + ": called with errorcode=" + std::to_string(error_code);
}

}  // namespace

int raise(Fault fault, const char* call) {
  if (fault.communicator() != nullptr) return raise(fault, fault.communicator(), call);
  if (Communicator* self = communicators.self()) return raise(fault, self, call);
  return raise(fault, &initial_errhandler(), MPI_COMM_NULL, call);
}

int raise(Fault fault, Communicator* communicator, const char* call) {
  if (fault.communicator() != nullptr) communicator = fault.communicator();
  if (communicator == nullptr) return raise(fault, call);
  int code = fault.error_class();
  handle(*communicator, noted_sentence(fault, call), code);
  return code;
}

int raise(Fault fault, Session* session, const char* call) {
  if (session == nullptr) return raise(fault, call);
  int code = fault.error_class();
  handle(*session, noted_sentence(fault, call), code);
  return code;
}

template <class Handle>
int raise(Fault fault, Errhandler* errhandler, Handle null, const char* call) {
  if (errhandler == nullptr) return raise(fault, call);
  int code = fault.error_class();
  handle_error(*errhandler, null, noted_sentence(fault, call), code, [] { return std::string(); });
  return code;
}

template int raise(Fault, Errhandler*, MPI_Comm, const char*);
template int raise(Fault, Errhandler*, MPI_Session, const char*);

Fault call_handler(Communicator& communicator, int error_code) {
  const OutsideMpi outside;
  handle(communicator, called_with("MPI_Comm_call_errhandler", error_code), error_code);
  return {};
}

Fault call_handler(Session& session, int error_code) {
  handle(session, called_with("MPI_Session_call_errhandler", error_code), error_code);
  return {};
}

}  // namespace atl
