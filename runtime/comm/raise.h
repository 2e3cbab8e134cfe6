// Whose error handler an error of a call goes to (MPI 5.0, 9.3).
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/objects/error_handling.h"

namespace atl {

// Runs the error handler that is responsible for a fault of `call`: that of the
// fault's communicator, else of `communicator`, else of MPI_COMM_SELF, and
// before MPI_Init and after MPI_Finalize the initial one. Returns the code that
// the call returns, if it returns.
[[gnu::cold]] int raise(Fault fault, Communicator* communicator, const char* call);

// MPI_Comm_call_errhandler.
Fault call_handler(Communicator& communicator, int error_code);

}  // namespace atl
