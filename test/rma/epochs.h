// Epochs of every kind in which each rank accesses one target.
#pragma once

#include <mpi.h>

#include "test/check.h"

namespace rma {

enum class Sync { fence, pscw, lock_shared, lock_exclusive, lock_all };
constexpr const char* kSyncs[] = {"fence", "post-start", "shared lock", "exclusive lock",
                                  "lock_all"};
constexpr Sync kAllSyncs[] = {Sync::fence, Sync::pscw, Sync::lock_shared, Sync::lock_exclusive,
                              Sync::lock_all};

inline bool is_passive(Sync sync) { return sync != Sync::fence && sync != Sync::pscw; }

inline MPI_Group group_of(MPI_Win win, std::initializer_list<int> ranks) {
  MPI_Group all, part;
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, int(ranks.size()), ranks.begin(), &part);
  MPI_Group_free(&all);
  return part;
}

// After it a rank may read its memory by plain loads, and others may write there again after a
// barrier.
inline void see_own(MPI_Win win, int rank) {
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Win_unlock(rank, win);
}

template <class Operations>
void post_start(MPI_Win win, int target, int origin, Operations operations) {
  MPI_Group origins = group_of(win, {origin}), targets = group_of(win, {target});
  MPI_Win_post(origins, 0, win);
  MPI_Win_start(targets, 0, win);
  operations();
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
}

template <class Operations>
void locked(Sync sync, MPI_Win win, int target, Operations operations) {
  if (sync == Sync::lock_all) {
    MPI_Win_lock_all(0, win);
    operations();
    MPI_Win_flush(target, win);
    MPI_Win_unlock_all(win);
  } else {
    MPI_Win_lock(sync == Sync::lock_shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, win);
    operations();
    MPI_Win_unlock(target, win);
  }
}

// Each rank of MPI_COMM_WORLD, of which the window is, accesses `target` in `operations`, and
// `origin` accesses it. All have stored into their memory before (Window::local); afterwards each
// may read its own.
template <class Operations>
void epoch(Sync sync, MPI_Win win, int target, int origin, Operations operations) {
  MPI_Barrier(MPI_COMM_WORLD);
  switch (sync) {
    case Sync::fence:
      MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
      operations();
      MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
      break;
    case Sync::pscw: post_start(win, target, origin, operations); break;
    default:
      locked(sync, win, target, operations);
      MPI_Barrier(MPI_COMM_WORLD);
      see_own(win, check::rank);
  }
}

}  // namespace rma
