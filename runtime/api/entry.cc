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

}  // namespace atl::api
