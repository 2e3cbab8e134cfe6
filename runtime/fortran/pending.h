// What is left to do in Fortran when a non-blocking operation completes: copying back what the
// operation could not be given in place. It is done by the Fortran call that completes the
// request, so such a request is completed in Fortran.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>

namespace atl::fortran {

enum class Lifetime { once, persistent };

struct Pending {
  virtual ~Pending() = default;
  virtual void before_start() {}  // of a persistent request
  virtual void after_call() = 0;  // again in each call that names the request
};

// Kept until the request has become MPI_REQUEST_NULL.
void keep(MPI_Fint request, std::unique_ptr<Pending> pending);

// How many are kept. All orders on it are relaxed: whoever names a request has learnt of it from
// the thread that made it, and with it of this number; what is kept is behind a lock.
extern std::atomic<int> kept;

void run_before_start(MPI_Fint request);
void run_after_call(MPI_Fint request, bool ended);

inline void before_start(MPI_Fint request) {
  // Relaxed: see kept.
  if (__builtin_expect(kept.load(std::memory_order_relaxed) != 0, 0)) run_before_start(request);
}

// A call had the request `before`, and made it `now`.
inline void after_call(MPI_Fint before, MPI_Fint now) {
  // Relaxed: see kept.
  if (__builtin_expect(kept.load(std::memory_order_relaxed) != 0, 0)) {
    run_after_call(before, now != before);
  }
}

}  // namespace atl::fortran
