// Whose error handler an error of a call goes to (MPI 5.0, 9.3).
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/comm/file.h"
#include "runtime/comm/session.h"
#include "runtime/comm/window.h"
#include "runtime/core/fault.h"
#include "runtime/objects/error_handling.h"

namespace atl {

// Each runs the error handler that is responsible for a fault of `call`, and
// returns the code that the call returns, if it returns.

// Where no argument tells: that of the fault's communicator, else of MPI_COMM_SELF, or
// of MPI_COMM_WORLD where the program has set that one alone; outside of the world model
// the initial one.
[[gnu::cold]] int raise(Fault fault, const char* call);

// That of the fault's communicator, else of this one; null: as above.
[[gnu::cold]] int raise(Fault fault, Communicator* communicator, const char* call);

// That of this object; null: as above.
[[gnu::cold]] int raise(Fault fault, Session* session, const char* call);
[[gnu::cold]] int raise(Fault fault, Window* window, const char* call);

// Without a file, the default error handler of files.
[[gnu::cold]] int raise(Fault fault, File* file, const char* call);

// The call itself was given one; `null` is what it gets for an object.
template <class Handle>
[[gnu::cold]] int raise(Fault fault, Errhandler* errhandler, Handle null, const char* call);

namespace objects {

// MPI_Comm_call_errhandler, ...
Fault call_errhandler(Communicator& comm, int errorcode);
Fault call_errhandler(Session& session, int errorcode);  // comes without the process lock
Fault call_errhandler(Window& win, int errorcode);
Fault call_errhandler(File& fh, int errorcode);

}  // namespace objects
}  // namespace atl
