// What happens to an error: the error handlers of MPI 5.0, chapter 9.
#pragma once

#include <string>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl {

// Runs the error handler that is responsible for a fault of `call`: that of the
// fault's communicator, else of `communicator`, else of MPI_COMM_SELF. Returns
// the code that the call returns, if it returns.
[[gnu::cold]] int raise(Fault fault, Communicator* communicator, const char* call);

// MPI_Comm_call_errhandler.
Fault call_handler(Communicator& communicator, int error_code);

// The sentence of the last error of this class in this thread, empty if there
// was none; MPI_Error_string shows it.
const std::string& last_sentence(int error_class);

// Ends the job from here: the launcher sees it and stops the others.
[[noreturn]] void abort_job(int code);

}  // namespace atl
