#include "runtime/api/entry.h"

#include <mpi.h>

#include <cstring>

namespace atl::api {

namespace {

// Calls that are allowed, without effect on the rank, in a process that the rank has forked, since
// its exit handlers may make them.
bool is_for_children(const char* call) {
  return std::strcmp(call, "MPI_Finalize") == 0 || std::strcmp(call, "MPI_Abort") == 0;
}

}  // namespace

Error Entry::open_slow_path(const char* call) {
  // Relaxed: as in open().
  switch (process.phase.load(std::memory_order_relaxed)) {
    case Phase::before_init: return make_error(MPI_ERR_OTHER, "called before MPI_Init");
    case Phase::finalized: return make_error(MPI_ERR_OTHER, "called after MPI_Finalize");
    case Phase::forked:
      return is_for_children(call) ? Error() : make_error(MPI_ERR_OTHER, "%s", kInForkedProcess);
    case Phase::running: break;
  }
  if (process.threaded) lock();
  return {};
}

void Entry::lock() { process.lock.lock(); }

void Entry::unlock() { process.lock.unlock(); }

Error no_memory() {
  try {
    return make_error(MPI_ERR_NO_MEM, "the system gives this rank no more memory");
  } catch (const std::bad_alloc&) {
    return make_error_for(MPI_ERR_NO_MEM, "no memory", nullptr);  // short: needs no allocation
  }
}

}  // namespace atl::api
