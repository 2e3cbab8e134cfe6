#include "runtime/objects/errhandler.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "shm/job.h"

namespace atl {
namespace {

std::uintptr_t value_of(MPI_Errhandler handle) { return reinterpret_cast<std::uintptr_t>(handle); }

Errhandler fatal{{}, value_of(MPI_ERRORS_ARE_FATAL), 1};
Errhandler abort_{{}, value_of(MPI_ERRORS_ABORT), 1};
Errhandler return_{{}, value_of(MPI_ERRORS_RETURN), 1};

std::mutex lock;  // guards the table and the reference counts of its error handlers

// Never destroyed: objects that the program has not freed release their error handlers at exit.
HandleTable<Errhandler>& table() {
  static HandleTable<Errhandler>& made = *new HandleTable<Errhandler>;
  return made;
}

Errhandler& told_by_mpiexec() {
  const char* name = ::secure_getenv(shm::kErrhandlerVariable);
  if (name == nullptr) return fatal;
  if (std::strcmp(name, shm::kErrorsAbort) == 0) return abort_;
  if (std::strcmp(name, shm::kErrorsReturn) == 0) return return_;
  return fatal;
}

}  // namespace

Errhandler& errors_are_fatal() { return fatal; }
Errhandler& errors_return() { return return_; }

Errhandler& initial_errhandler() {
  static Errhandler& initial = told_by_mpiexec();
  return initial;
}

Errhandler* find_errhandler(MPI_Errhandler handle) {
  for (Errhandler* one : {&fatal, &abort_, &return_}) {
    if (one->predefined == value_of(handle)) return one;
  }
  const std::lock_guard guard(lock);
  return table().find(value_of(handle));
}

MPI_Errhandler handle_of(Errhandler& errhandler) {
  const std::uintptr_t value = errhandler.predefined != 0
                                   ? errhandler.predefined
                                   : HandleTable<Errhandler>::handle(errhandler);
  return reinterpret_cast<MPI_Errhandler>(value);
}

template <>
MPI_Errhandler handle_from_int(int number) {
  const std::lock_guard guard(lock);
  return reinterpret_cast<MPI_Errhandler>(table().from_int(number));
}

const char* initial_errhandler_name() {
  const Errhandler& initial = initial_errhandler();
  if (&initial == &abort_) return shm::kErrorsAbort;
  return &initial == &return_ ? shm::kErrorsReturn : shm::kErrorsAreFatal;
}

void retain(Errhandler& errhandler) {
  if (errhandler.predefined != 0) return;
  const std::lock_guard guard(lock);
  ++errhandler.references;
}

void release(Errhandler& errhandler) {
  if (errhandler.predefined != 0) return;
  const std::lock_guard guard(lock);
  if (--errhandler.references == 0) table().destroy(errhandler);
}

Errhandler& make_errhandler(Errhandler errhandler) {
  const std::lock_guard guard(lock);
  return table().create(std::move(errhandler));
}

namespace objects {

// No effect on predefined error handlers: MPI_Comm_get_errhandler may return these, too.
Error errhandler_free(MPI_Errhandler* errhandler) {
  release(*find_errhandler(*errhandler));
  *errhandler = MPI_ERRHANDLER_NULL;
  return {};
}

}  // namespace objects
}  // namespace atl
