// Handles as ints (MPI 5.0, chapter 20), as Fortran programs use them.
#pragma once

#include <mutex>

#include "runtime/comm/communicator.h"
#include "runtime/comm/file.h"
#include "runtime/comm/group.h"
#include "runtime/comm/session.h"
#include "runtime/comm/window.h"
#include "runtime/core/handle_table.h"
#include "runtime/core/process.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/info.h"
#include "runtime/op/op.h"
#include "runtime/p2p/probe.h"
#include "runtime/p2p/request.h"
#include "runtime/type/type_handles.h"

namespace atl::env {

// MPI_Comm_toint, ...
template <class Handle>
int to_int(Handle handle) {
  return handle_to_int(reinterpret_cast<std::uintptr_t>(handle));
}

// MPI_Comm_fromint, ...: may be called before MPI_Init and after MPI_Finalize.
template <class Handle>
Handle from_int(int number) {
  const std::lock_guard guard(process.lock);
  return handle_from_int<Handle>(number);
}

}  // namespace atl::env
