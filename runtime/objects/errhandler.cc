#include "runtime/objects/errhandler.h"

namespace atl {
namespace {

std::uintptr_t value_of(MPI_Errhandler handle) { return reinterpret_cast<std::uintptr_t>(handle); }

Errhandler fatal{nullptr, value_of(MPI_ERRORS_ARE_FATAL), 1};
Errhandler abort_{nullptr, value_of(MPI_ERRORS_ABORT), 1};
Errhandler return_{nullptr, value_of(MPI_ERRORS_RETURN), 1};

}  // namespace

Errhandler& errors_are_fatal() { return fatal; }
Errhandler& errors_return() { return return_; }

Errhandler* find_errhandler(MPI_Errhandler handle) {
  for (Errhandler* one : {&fatal, &abort_, &return_}) {
    if (one->predefined == value_of(handle)) return one;
  }
  return errhandlers.find(value_of(handle));
}

MPI_Errhandler handle_of(Errhandler& errhandler) {
  const std::uintptr_t value = errhandler.predefined != 0
                                   ? errhandler.predefined
                                   : HandleTable<Errhandler>::handle(errhandler);
  return reinterpret_cast<MPI_Errhandler>(value);
}

void retain(Errhandler& errhandler) { ++errhandler.references; }

void release(Errhandler& errhandler) {
  if (errhandler.predefined != 0) return;
  if (--errhandler.references == 0) errhandlers.destroy(errhandler);
}

}  // namespace atl
