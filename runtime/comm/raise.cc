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

void handle(Window& window, const std::string& sentence, int& code) {
  handle_error(window.errhandler(), handle_of(window), sentence, code,
               [&] { return window.name().empty() ? "a window" : window.name(); });
}

void handle(File& file, const std::string& sentence, int& code) {
  handle_error(file.errhandler(), handle_of(file), sentence, code,
               [&] { return std::string(&file == &no_file() ? "MPI_FILE_NULL" : "a file"); });
}

// Of errors that belong to no object. 9.3 names MPI_COMM_SELF, since MPI 4.0; most programs
// set the error handler of MPI_COMM_WORLD alone, which it was before.
Communicator* responsible_for_the_rest() {
  Communicator* self = communicators.self();
  if (self == nullptr || self->errhandler_set()) return self;
  Communicator* world = communicators.world();
  return world->errhandler_set() ? world : self;
}

std::string noted_sentence(Fault fault, const char* call) {
  std::string sentence = std::string(call) + ": " + fault.text();
  note_sentence(fault.error_class(), sentence);
  return sentence;
}

template <class Object>
int raise_on(Object& object, Fault fault, const char* call) {
  int code = fault.error_class();
  handle(object, noted_sentence(fault, call), code);
  return code;
}

template <class Object>
Fault call_handler(Object& object, const char* call, int error_code) {
  handle(object, std::string(call) + ": called with errorcode=" + std::to_string(error_code),
         error_code);
  return {};
}

}  // namespace

int raise(Fault fault, const char* call) {
  if (fault.communicator() != nullptr) return raise(fault, fault.communicator(), call);
  if (Communicator* one = responsible_for_the_rest()) return raise_on(*one, fault, call);
  return raise(fault, &initial_errhandler(), MPI_COMM_NULL, call);
}

int raise(Fault fault, Communicator* communicator, const char* call) {
  if (fault.communicator() != nullptr) communicator = fault.communicator();
  return communicator == nullptr ? raise(fault, call) : raise_on(*communicator, fault, call);
}

int raise(Fault fault, Session* session, const char* call) {
  return session == nullptr ? raise(fault, call) : raise_on(*session, fault, call);
}

int raise(Fault fault, Window* window, const char* call) {
  return window == nullptr ? raise(fault, call) : raise_on(*window, fault, call);
}

int raise(Fault fault, File* file, const char* call) {
  return raise_on(file == nullptr ? no_file() : *file, fault, call);
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

namespace objects {

Fault call_errhandler(Communicator& comm, int errorcode) {
  const OutsideMpi outside;
  return call_handler(comm, "MPI_Comm_call_errhandler", errorcode);
}

Fault call_errhandler(Session& session, int errorcode) {
  return call_handler(session, "MPI_Session_call_errhandler", errorcode);
}

Fault call_errhandler(Window& win, int errorcode) {
  const OutsideMpi outside;
  return call_handler(win, "MPI_Win_call_errhandler", errorcode);
}

Fault call_errhandler(File& fh, int errorcode) {
  const OutsideMpi outside;
  return call_handler(fh, "MPI_File_call_errhandler", errorcode);
}

}  // namespace objects
}  // namespace atl
