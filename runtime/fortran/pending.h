// Work of the Fortran binding when a nonblocking operation completes: it copies results into
// variables that the operation could not write directly. The Fortran call that completes the
// request does this work, so such a request must be completed from Fortran.
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

// Stores `pending` until the request becomes MPI_REQUEST_NULL.
void keep(MPI_Fint request, std::unique_ptr<Pending> pending);

// The number of stored objects. All accesses are relaxed: a thread that passes a request has got it
// from the thread that made it, which orders the count too. A lock guards the objects themselves.
extern std::atomic<int> kept;

void run_before_start(MPI_Fint request);
void run_after_call(MPI_Fint request, bool ended);

inline void before_start(MPI_Fint request) {
  // Relaxed: see kept.
  if (__builtin_expect(kept.load(std::memory_order_relaxed) != 0, 0)) run_before_start(request);
}

// Called after a call that changed a request variable from `before` to `now`.
inline void after_call(MPI_Fint before, MPI_Fint now) {
  // Relaxed: see kept.
  if (__builtin_expect(kept.load(std::memory_order_relaxed) != 0, 0)) {
    run_after_call(before, now != before);
  }
}

}  // namespace atl::fortran
