// The requests of a call that completes several, looked up once, and the wait for them.
#pragma once

#include <mpi.h>

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/core/awaited.h"
#include "runtime/p2p/request.h"

namespace atl::p2p {

// Of so many requests on it is worth remembering from call to call what is known of them.
constexpr int kManyRequests = 64;

constexpr int kNoArray = -1;  // index of the handle of a call that has just one

// The fault of the handle at that place of the call's array.
[[gnu::cold]] Fault bad_request(int index, MPI_Request handle);

// Null in `found` for a handle that does not count: a null one or that of an inactive request.
inline Fault look_up(int index, MPI_Request handle, Request*& found) {
  found = handle == MPI_REQUEST_NULL ? nullptr : find_request(handle);
  if (found == nullptr && handle != MPI_REQUEST_NULL) return bad_request(index, handle);
  if (found != nullptr && found->stage == Stage::inactive) found = nullptr;
  return {};
}

// What counts down when the request completes: the half of MPI_Isendrecv that is not complete.
inline Request& incomplete_half(Request& request) {
  return request.stage == Stage::complete ? *request.other : request;
}

// Of several complete requests that of the lowest number is returned. Receives have the order in
// which they were begun: who keeps several for any sender then hears each sender in the order
// of its messages, and no sender is starved. All others come before them.
inline std::uint64_t completion_order(const Request& request) {
  return request.kind == RequestKind::receive ? request.post_order : 0;
}

// For the wait record of a call that waits for several: `now` becomes that of the first incomplete
// request, null where it is not known, with the number of them.
void describe_several(const Request* first, std::size_t incomplete, Awaited& now);

class Resolved {
 public:
  // A bad handle is an error before anything is touched.
  Fault look_up(int count, const MPI_Request* handles);

  // Whether one counts at all, and whether one was complete when they were looked up.
  bool any() const { return any_; }
  bool some_complete() const { return some_complete_; }

  int count() const { return static_cast<int>(requests_.size()); }

  // Null for those that do not count.
  Request* operator[](int index) const { return requests_[static_cast<std::size_t>(index)]; }

  // Index of the first complete request in completion_order(), or -1.
  int find_complete() const;

  // True when all from `first` on are complete; `first` becomes the first that is not.
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

// Those of them that are not complete, each of which counts down when it is: a call that
// waits looks at one number, however many there are.
class Outstanding {
 public:
  explicit Outstanding(const Resolved& requests);
  ~Outstanding();
  Outstanding(const Outstanding&) = delete;
  Outstanding& operator=(const Outstanding&) = delete;

  // Waits for one of them, or for all.
  void wait(bool any);

 private:
  static void update(const void* self, Awaited& now);
  static void list(const void* self, std::vector<Awaited>& into);

  const Resolved& requests_;
  CompletionCounter counter_;
  mutable int first_ = 0;  // all before it are complete
};

}  // namespace atl::p2p
