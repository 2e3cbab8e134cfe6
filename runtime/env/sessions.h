// Sessions begin and end (MPI 5.0, 11.3.1).
#pragma once

#include <mpi.h>

#include "runtime/comm/session.h"
#include "runtime/core/fault.h"
#include "runtime/objects/info.h"

namespace atl::env {

Fault session_init(const Info& info, Errhandler& errhandler, MPI_Session* session);
Fault session_finalize(MPI_Session* session);

}  // namespace atl::env
