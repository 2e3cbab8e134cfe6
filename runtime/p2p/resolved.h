// The requests of a call that completes several: looks their handles up once, and waits for them.
#pragma once

#include <mpi.h>

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/core/wait_description.h"
#include "runtime/p2p/request.h"

namespace atl::p2p {

// From this number of requests on, what is known of them is worth remembering from call to call.
constexpr int kManyRequests = 64;

constexpr int kNoArray = -1;  // index of the handle of a call with a single request

// The error for an invalid handle at `index` in the call's array.
[[gnu::cold]] Error bad_request(int index, MPI_Request handle);

// Looks a handle up; `found` is null for a null handle and for an inactive request.
inline Error look_up(int index, MPI_Request handle, Request*& found) {
  found = handle == MPI_REQUEST_NULL ? nullptr : find_request(handle);
  if (found == nullptr && handle != MPI_REQUEST_NULL) return bad_request(index, handle);
  if (found != nullptr && found->stage == Stage::inactive) found = nullptr;
  return {};
}

// The half of MPI_Isendrecv that is not complete, which holds the counter; else the request itself.
inline Request& incomplete_half(Request& request) {
  return request.stage == Stage::complete ? *request.other : request;
}

// Of several complete requests the one with the lowest number is returned. Receives are numbered
// in posting order: a program with several receives from any source then gets each sender's
// messages in their order, and no sender is starved. All other requests come before them.
inline std::uint64_t completion_order(const Request& request) {
  return request.kind == RequestKind::receive ? request.post_order : 0;
}

// For the wait record of a call that waits for several: turns `now` into the description of
// `first`, the first incomplete request (null: not known), with their number.
void describe_several(const Request* first, std::size_t incomplete, WaitDescription& now);

class Resolved {
 public:
  // A bad handle is an error before any request is changed.
  Error look_up(int count, const MPI_Request* handles);

  // Whether any is neither null nor inactive, and whether any was complete when looked up.
  bool any() const { return any_; }
  bool some_complete() const { return some_complete_; }

  int count() const { return static_cast<int>(requests_.size()); }

  // Null for a null handle and for an inactive request.
  Request* operator[](int index) const { return requests_[static_cast<std::size_t>(index)]; }

  // Index of the first complete request in completion_order(), or -1.
  int find_complete() const;

  // True when all from `first` on are complete; sets `first` to the first that is not.
  bool all_complete(int& first) const {
    while (first < count() && !incomplete(first)) ++first;
    return first == count();
  }

  bool incomplete(int index) const {
    return (*this)[index] != nullptr && !(*this)[index]->complete();
  }

 private:
  boost::container::small_vector<Request*, 64> requests_;
  bool any_ = false;
  bool some_complete_ = false;
};

// The requests of Resolved that are not complete. Each decrements one counter when it completes:
// a call that waits checks that counter only, however many requests there are.
class Outstanding {
 public:
  explicit Outstanding(const Resolved& requests);
  ~Outstanding();
  Outstanding(const Outstanding&) = delete;
  Outstanding& operator=(const Outstanding&) = delete;

  // Blocks until one of them is complete (`any`) or all are.
  void wait(bool any);

 private:
  static void update(const void* self, WaitDescription& now);
  static void list(const void* self, std::vector<WaitDescription>& into);

  const Resolved& requests_;
  CompletionCounter counter_;
  mutable int first_ = 0;  // all before this index are complete
};

}  // namespace atl::p2p
