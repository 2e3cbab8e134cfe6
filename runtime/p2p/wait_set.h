// The requests of calls that wait for some of many: MPI_Waitany, MPI_Testsome and the like.
//
// Such calls follow each other with nearly the same array, so the set persists from call to call:
// each incomplete request of the array adds its place to a list when it completes, and the next
// call checks those places and the places where the array has another handle than before. The
// cost of a call depends on what has changed, not on the number of outstanding requests.
//
// It belongs to the one thread that calls MPI, so it is not for MPI_THREAD_MULTIPLE.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/core/wait_description.h"
#include "runtime/p2p/request.h"
#include "runtime/p2p/resolved.h"

namespace atl::p2p {

// A complete request of an array.
struct Found {
  int index;  // -1: there is none
  bool any;   // at least one request is neither null nor inactive
};

class WaitSet {
 public:
  WaitSet() = default;
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;

  // Whether it serves arrays of `count` requests: for short ones it is faster to read all handles.
  static bool fits(int count) { return count >= kManyRequests && !process.threaded; }

  // Finds one complete request. With `wait`, blocks until there is one, unless all requests are
  // null or inactive. A request that stays in the array is found again.
  Error find_one(int count, const MPI_Request* handles, bool wait, Found& found);

  // Finds all complete requests: `outcount` is their number, or MPI_UNDEFINED when all requests
  // are null or inactive; `indices` are their places in increasing order.
  Error find_some(int count, const MPI_Request* handles, bool wait, int* outcount, int* indices);

 private:
  Error scan(int count, const MPI_Request* handles);
  Error look_at(int place, MPI_Request handle);
  int take(const MPI_Request* handles);
  void forget(int place);
  void start_anew(int count);
  void wait();
  static void update(const void* self, WaitDescription& now);
  static void list(const void* self, std::vector<WaitDescription>& into);

  // By place: the handle last seen there. Null where nothing is known.
  std::vector<MPI_Request> known_;
  // Places to check: those whose requests have completed, in that order, and a few others.
  std::vector<std::uint32_t> places_;
  std::size_t next_ = 0;  // of places_: the first that is not checked
  CompletionCounter counter_{.incomplete = 0, .places = &places_};
};

}  // namespace atl::p2p
