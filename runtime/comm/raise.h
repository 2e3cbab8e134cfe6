// Whose error handler an error of a call goes to (MPI 5.0, 9.3).
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/comm/session.h"
#include "runtime/core/fault.h"
#include "runtime/objects/error_handling.h"

namespace atl {

// Each runs the error handler that is responsible for a fault of `call`, and
// returns the code that the call returns, if it returns.

// Where no argument tells: that of the fault's communicator, else of
// MPI_COMM_SELF, and outside of the world model the initial one.
[[gnu::cold]] int raise(Fault fault, const char* call);

// That of the fault's communicator, else of this one; null: as above.
[[gnu::cold]] int raise(Fault fault, Communicator* communicator, const char* call);

[[gnu::cold]] int raise(Fault fault, Session* session, const char* call);

// The call itself was given one; `null` is what it gets for an object.
template <class Handle>
[[gnu::cold]] int raise(Fault fault, Errhandler* errhandler, Handle null, const char* call);

// MPI_Comm_call_errhandler.
Fault call_handler(Communicator& communicator, int error_code);

// MPI_Session_call_errhandler, which comes without the process lock.
Fault call_handler(Session& session, int error_code);

}  // namespace atl
