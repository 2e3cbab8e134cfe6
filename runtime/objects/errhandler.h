// Error handlers (MPI 5.0, 9.3). They may be made for sessions and freed before
// MPI_Init, by any thread: the table has a lock of its own.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <variant>

#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"

namespace atl {

// What a program writes for objects with this kind of handle: MPI_Comm, MPI_Win,
// MPI_File or MPI_Session.
template <class Handle>
using ErrhandlerFunction = void(Handle*, int*, ...);

struct Errhandler {
  static constexpr HandleKind kHandleKind = HandleKind::errhandler;

  // None: one of the standard's three, which serve all objects.
  std::variant<std::monostate, ErrhandlerFunction<MPI_Comm>*, ErrhandlerFunction<MPI_Win>*,
               ErrhandlerFunction<MPI_File>*, ErrhandlerFunction<MPI_Session>*>
      function;
  std::uintptr_t predefined = 0;  // its handle: MPI_ERRORS_ARE_FATAL, ...
  std::uint32_t references = 1;   // the program's handle and each object that has it

  // The function for these objects, or null.
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

// Null when `handle` is none.
Errhandler* find_errhandler(MPI_Errhandler handle);
MPI_Errhandler handle_of(Errhandler& errhandler);
template <>
MPI_Errhandler handle_from_int(int number);

Errhandler& errors_are_fatal();
Errhandler& errors_return();

// What objects begin with, and what happens to errors outside of MPI_Init and
// MPI_Finalize: MPI_ERRORS_ARE_FATAL, or what mpiexec was told (11.5).
Errhandler& initial_errhandler();
const char* initial_errhandler_name();  // as mpiexec -initial-errhandler has it

void retain(Errhandler& errhandler);
void release(Errhandler& errhandler);

Errhandler& make_errhandler(Errhandler errhandler);

// The error handler that an object has, kept alive by it.
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
Fault set_errhandler(Object& object, Errhandler& errhandler) {
  object.set_errhandler(errhandler);
  return {};
}

// The program frees what it gets (MPI 5.0, 9.3).
template <class Object>
Fault get_errhandler(Object& object, MPI_Errhandler* errhandler) {
  retain(object.errhandler());
  *errhandler = handle_of(object.errhandler());
  return {};
}

// MPI_Comm_create_errhandler, MPI_Win_create_errhandler, ...
template <class Handle>
Fault create_errhandler(ErrhandlerFunction<Handle>* function, MPI_Errhandler* errhandler) {
  *errhandler = handle_of(make_errhandler({.function = function}));
  return {};
}

Fault errhandler_free(MPI_Errhandler* errhandler);

}  // namespace objects
}  // namespace atl
