// MPI_Session_init and MPI_Session_finalize (MPI 5.0, 11.3.1).
#pragma once

#include <mpi.h>

#include "runtime/comm/session.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"

namespace atl::env {

Error session_init(const Info& info, Errhandler& errhandler, MPI_Session* session);
Error session_finalize(MPI_Session* session);

}  // namespace atl::env
