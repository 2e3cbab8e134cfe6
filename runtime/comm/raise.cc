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

// For errors that belong to no object. Since MPI 4.0, 9.3 names MPI_COMM_SELF; most programs set
// only the error handler of MPI_COMM_WORLD, which it was before.
Communicator* responsible_for_the_rest() {
  Communicator* self = communicators.self();
  if (self == nullptr || self->errhandler_set()) return self;
  Communicator* world = communicators.world();
  return world->errhandler_set() ? world : self;
}

std::string noted_sentence(Error error, const char* call) {
  std::string sentence = std::string(call) + ": " + error.text();
  note_sentence(error.error_class(), sentence);
  return sentence;
}

template <class Object>
int raise_on(Object& object, Error error, const char* call) {
  int code = error.error_class();
  handle(object, noted_sentence(error, call), code);
  return code;
}

template <class Object>
Error call_handler(Object& object, const char* call, int error_code) {
  handle(object, std::string(call) + ": called with errorcode=" + std::to_string(error_code),
         error_code);
  return {};
}

}  // namespace

int raise(Error error, const char* call) {
  if (error.communicator() != nullptr) return raise(error, error.communicator(), call);
  if (Communicator* one = responsible_for_the_rest()) return raise_on(*one, error, call);
  return raise(error, &initial_errhandler(), MPI_COMM_NULL, call);
}

int raise(Error error, Communicator* communicator, const char* call) {
  if (error.communicator() != nullptr) communicator = error.communicator();
  return communicator == nullptr ? raise(error, call) : raise_on(*communicator, error, call);
}

int raise(Error error, Session* session, const char* call) {
  return session == nullptr ? raise(error, call) : raise_on(*session, error, call);
}

int raise(Error error, Window* window, const char* call) {
  return window == nullptr ? raise(error, call) : raise_on(*window, error, call);
}

int raise(Error error, File* file, const char* call) {
  return raise_on(file == nullptr ? no_file() : *file, error, call);
}

template <class Handle>
int raise(Error error, Errhandler* errhandler, Handle null, const char* call) {
  if (errhandler == nullptr) return raise(error, call);
  int code = error.error_class();
  handle_error(*errhandler, null, noted_sentence(error, call), code, [] { return std::string(); });
  return code;
}

template int raise(Error, Errhandler*, MPI_Comm, const char*);
template int raise(Error, Errhandler*, MPI_Session, const char*);

namespace objects {

Error call_errhandler(Communicator& comm, int errorcode) {
  const OutsideMpi outside;
  return call_handler(comm, "MPI_Comm_call_errhandler", errorcode);
}

Error call_errhandler(Session& session, int errorcode) {
  return call_handler(session, "MPI_Session_call_errhandler", errorcode);
}

Error call_errhandler(Window& win, int errorcode) {
  const OutsideMpi outside;
  return call_handler(win, "MPI_Win_call_errhandler", errorcode);
}

Error call_errhandler(File& fh, int errorcode) {
  const OutsideMpi outside;
  return call_handler(fh, "MPI_File_call_errhandler", errorcode);
}

}  // namespace objects
}  // namespace atl
