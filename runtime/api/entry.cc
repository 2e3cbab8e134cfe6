#include "runtime/api/entry.h"

#include <mpi.h>

namespace atl::api {

Fault Entry::open_with_care() {
  // Relaxed: as in open().
  if (process.phase.load(std::memory_order_relaxed) == Phase::running) {
    if (process.threaded) lock();
    return {};
  }
  return fail(MPI_ERR_OTHER, process.phase == Phase::before_init ? "called before MPI_Init"
                                                                 : "called after MPI_Finalize");
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
