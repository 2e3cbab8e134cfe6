// Error handlers (MPI 5.0, 9.3). Any thread may create them for sessions and free them before
// MPI_Init, so the table has its own lock.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <variant>

#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"

namespace atl {

// A program's error handler function for objects with this handle type: MPI_Comm, MPI_Win,
// MPI_File or MPI_Session.
template <class Handle>
using ErrhandlerFunction = void(Handle*, int*, ...);

struct Errhandler {
  static constexpr HandleKind kHandleKind = HandleKind::errhandler;

  // monostate: one of the three predefined error handlers, which are valid for all objects.
  std::variant<std::monostate, ErrhandlerFunction<MPI_Comm>*, ErrhandlerFunction<MPI_Win>*,
               ErrhandlerFunction<MPI_File>*, ErrhandlerFunction<MPI_Session>*>
      function;
  std::uintptr_t predefined = 0;  // handle value of a predefined one: MPI_ERRORS_ARE_FATAL, ...
  std::uint32_t references = 1;   // the program's handle and each object that uses it

  // The function for objects with this handle type, or null.
  template <class Handle>
  ErrhandlerFunction<Handle>* function_for() const {
    const auto* found = std::get_if<ErrhandlerFunction<Handle>*>(&function);
    return found == nullptr ? nullptr : *found;
  }

  template <class Handle>
  bool serves() const {
    return predefined != 0 || function_for<Handle>() != nullptr;
  }
};

// Null when `handle` is not an error handler.
Errhandler* find_errhandler(MPI_Errhandler handle);
MPI_Errhandler handle_of(Errhandler& errhandler);
template <>
MPI_Errhandler handle_from_int(int number);

Errhandler& errors_are_fatal();
Errhandler& errors_return();

// The error handler of new objects, and of errors outside of MPI_Init and MPI_Finalize:
// MPI_ERRORS_ARE_FATAL, or the one given to mpiexec (11.5).
Errhandler& initial_errhandler();
const char* initial_errhandler_name();  // as for mpiexec -initial-errhandler

void retain(Errhandler& errhandler);
void release(Errhandler& errhandler);

Errhandler& make_errhandler(Errhandler errhandler);

// The error handler of an object, which holds a reference to it.
class HeldErrhandler {
 public:
  explicit HeldErrhandler(Errhandler& errhandler) : errhandler_(&errhandler) { retain(errhandler); }
  ~HeldErrhandler() { release(*errhandler_); }
  HeldErrhandler(const HeldErrhandler&) = delete;
  HeldErrhandler& operator=(const HeldErrhandler&) = delete;

  Errhandler& get() const { return *errhandler_; }
  void set(Errhandler& errhandler) {
    retain(errhandler);
    release(*errhandler_);
    errhandler_ = &errhandler;
  }

 private:
  Errhandler* errhandler_;
};

namespace objects {

// MPI_Comm_set_errhandler, MPI_Session_set_errhandler, ...
template <class Object>
Error set_errhandler(Object& object, Errhandler& errhandler) {
  object.set_errhandler(errhandler);
  return {};
}

// The program must free the returned handle (MPI 5.0, 9.3).
template <class Object>
Error get_errhandler(Object& object, MPI_Errhandler* errhandler) {
  retain(object.errhandler());
  *errhandler = handle_of(object.errhandler());
  return {};
}

// MPI_Comm_create_errhandler, MPI_Win_create_errhandler, ...
template <class Handle>
Error create_errhandler(ErrhandlerFunction<Handle>* function, MPI_Errhandler* errhandler) {
  *errhandler = handle_of(make_errhandler({.function = function}));
  return {};
}

Error errhandler_free(MPI_Errhandler* errhandler);

}  // namespace objects
}  // namespace atl
