// Error handlers (MPI 5.0, 9.3).
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/core/handle_table.h"

namespace atl {

struct Errhandler {
  MPI_Comm_errhandler_function* function = nullptr;  // null: one of the predefined three
  std::uintptr_t predefined = 0;                     // its handle: MPI_ERRORS_ARE_FATAL, ...
  std::uint32_t references = 1;  // the program's handle and each communicator that has it
};

inline HandleTable<Errhandler> errhandlers;

// Null when `handle` is none.
Errhandler* find_errhandler(MPI_Errhandler handle);
MPI_Errhandler handle_of(Errhandler& errhandler);

Errhandler& errors_are_fatal();
Errhandler& errors_return();

void retain(Errhandler& errhandler);
void release(Errhandler& errhandler);

}  // namespace atl
