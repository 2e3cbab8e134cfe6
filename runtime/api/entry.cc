#include "runtime/api/entry.h"

#include <mpi.h>

#include <cstring>

namespace atl::api {

namespace {

// What a process that a rank has forked may call, since its exit handlers do: it
// leaves the rank alone.
bool is_for_children(const char* call) {
  return std::strcmp(call, "MPI_Finalize") == 0 || std::strcmp(call, "MPI_Abort") == 0;
}

}  // namespace

Fault Entry::open_with_care(const char* call) {
  // Relaxed: as in open().
  switch (process.phase.load(std::memory_order_relaxed)) {
    case Phase::before_init: return fail(MPI_ERR_OTHER, "called before MPI_Init");
    case Phase::finalized: return fail(MPI_ERR_OTHER, "called after MPI_Finalize");
    case Phase::forked:
      return is_for_children(call) ? Fault() : fail(MPI_ERR_OTHER, "%s", kInForkedProcess);
    case Phase::running: break;
  }
  if (process.threaded) lock();
  return {};
}

void Entry::lock() { process.lock.lock(); }

void Entry::unlock() { process.lock.unlock(); }

Fault no_memory() {
  try {
    return fail(MPI_ERR_NO_MEM, "the system gives this rank no more memory");
  } catch (const std::bad_alloc&) {
    return fail_with(MPI_ERR_NO_MEM, "no memory", nullptr);  // short enough to need none
  }
}

}  // namespace atl::api
