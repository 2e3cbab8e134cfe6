// Which object's error handler gets the error of a call (MPI 5.0, 9.3).
#pragma once

#include "runtime/comm/communicator.h"
#include "runtime/comm/file.h"
#include "runtime/comm/session.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/objects/error_handling.h"

namespace atl {

// Each function runs the error handler that is responsible for an error of `call`, and returns
// the code that the call returns, if it returns.

// For a call without an object: the handler of the error's communicator, else of MPI_COMM_SELF,
// or of MPI_COMM_WORLD if the program has set only that one; outside of the world model the
// initial handler.
[[gnu::cold]] int raise(Error error, const char* call);

// The handler of the error's communicator, else of `communicator`; null: as above.
[[gnu::cold]] int raise(Error error, Communicator* communicator, const char* call);

// The handler of this object; null: as above.
[[gnu::cold]] int raise(Error error, Session* session, const char* call);
[[gnu::cold]] int raise(Error error, Window* window, const char* call);

// The handler of this file; null: the default error handler of files.
[[gnu::cold]] int raise(Error error, File* file, const char* call);

// The handler is an argument of the call; `null` is the null handle that it gets as its object.
template <class Handle>
[[gnu::cold]] int raise(Error error, Errhandler* errhandler, Handle null, const char* call);

namespace objects {

// MPI_Comm_call_errhandler, ...
Error call_errhandler(Communicator& comm, int errorcode);
Error call_errhandler(Session& session, int errorcode);  // called without the process lock
Error call_errhandler(Window& win, int errorcode);
Error call_errhandler(File& fh, int errorcode);

}  // namespace objects
}  // namespace atl
