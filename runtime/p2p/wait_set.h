// The requests of the calls that want some of many: MPI_Waitany, MPI_Testsome and the like.
//
// Such calls come one after the other with nearly the same array, so the set stays from call
// to call: each incomplete request of the array adds its place to a list when it completes,
// and the next call looks at those places, and at those where the array has another handle than
// before. What it costs follows what has changed, however many requests are outstanding.
//
// It belongs to the one thread that calls MPI, so it is not for MPI_THREAD_MULTIPLE.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "runtime/core/awaited.h"
#include "runtime/core/process.h"
#include "runtime/p2p/request.h"
#include "runtime/p2p/resolved.h"

namespace atl::p2p {

// A complete request of an array.
struct Found {
  int index;  // -1: there is none
  bool any;   // one counts at all: is neither null nor inactive
};

class WaitSet {
 public:
  WaitSet() = default;
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;

  // Whether it serves arrays of that length: below it is faster to read all handles.
  static bool fits(int count) { return count >= kManyRequests && !process.threaded; }

  // One complete request; `wait`: does not return before there is one, unless none counts.
  // A request that stays in the array is found again.
  Fault find_one(int count, const MPI_Request* handles, bool wait, Found& found);

  // All complete ones: `outcount` is how many, MPI_UNDEFINED where none counts, and
  // `indices` says which, in increasing order.
  Fault find_some(int count, const MPI_Request* handles, bool wait, int* outcount, int* indices);

 private:
  Fault look(int count, const MPI_Request* handles);
  Fault look_at(int place, MPI_Request handle);
  int take(const MPI_Request* handles);
  void forget(int place);
  void start_anew(int count);
  void wait();
  static void update(const void* self, Awaited& now);
  static void list(const void* self, std::vector<Awaited>& into);

  // By place: what the array had there. Null where nothing is known.
  std::vector<MPI_Request> known_;
  // Places to look at: those whose requests have completed, in that order, and a few others.
  std::vector<std::uint32_t> places_;
  std::size_t next_ = 0;  // of places_, not looked at
  CompletionCounter counter_{.incomplete = 0, .places = &places_};
};

}  // namespace atl::p2p
