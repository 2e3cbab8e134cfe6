#include "runtime/p2p/completion.h"

#include <boost/container/small_vector.hpp>
#include <string>

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/generalized.h"
#include "runtime/p2p/status.h"

namespace atl::p2p {
namespace {

Fault bad_request(int index, MPI_Request handle) {
  const std::string name = "array_of_requests[" + std::to_string(index) + "]";
  return bad_handle(HandleKind::request, name.c_str(), handle);
}

// As Resolved, for one request.
Fault look_up(MPI_Request handle, Request*& found) {
  found = handle == MPI_REQUEST_NULL ? nullptr : find_request(handle);
  if (found == nullptr && handle != MPI_REQUEST_NULL) {
    return bad_handle(HandleKind::request, "request", handle);
  }
  if (found != nullptr && found->stage == Stage::inactive) found = nullptr;
  return {};
}

// The requests of a call, looked up once.
class Resolved {
 public:
  // A bad handle is an error before anything is touched.
  Fault look_up(int count, const MPI_Request* handles) {
    requests_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      Request* request = handles[i] == MPI_REQUEST_NULL ? nullptr : find_request(handles[i]);
      if (request == nullptr && handles[i] != MPI_REQUEST_NULL) return bad_request(i, handles[i]);
      const bool counts = request != nullptr && request->stage != Stage::inactive;
      requests_[static_cast<std::size_t>(i)] = counts ? request : nullptr;
      any_ |= counts;
      some_complete_ |= counts && request->complete();
    }
    return {};
  }

  // Whether one counts at all, and whether one was complete when they were looked up.
  bool any() const { return any_; }
  bool some_complete() const { return some_complete_; }

  int count() const { return static_cast<int>(requests_.size()); }

  // Null for those that do not count: null and inactive ones.
  Request* operator[](int index) const { return requests_[static_cast<std::size_t>(index)]; }

  // Index of a complete request, or -1. Of receives
  // the one that was begun first: who keeps several for any sender then hears each sender
  // in the order of its messages, and no sender is starved.
  int find_complete() const {
    int found = -1;
    for (int i = 0; i < count(); ++i) {
      const Request* request = (*this)[i];
      if (request == nullptr || !request->complete()) continue;
      if (request->kind != RequestKind::receive) return i;
      if (found < 0 || request->post_order < (*this)[found]->post_order) found = i;
    }
    return found;
  }

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

// The requests of a call that are not complete, each of which counts down when it is: a
// call that waits looks at one number, however many there are.
class Outstanding {
 public:
  explicit Outstanding(const Resolved& requests) : requests_(requests) {
    for (int i = 0; i < requests.count(); ++i) {
      if (!requests.incomplete(i)) continue;
      ++count_;
      Request& request = *requests[i];
      Request& half = request.stage == Stage::complete ? *request.other : request;
      half.outstanding = &count_;
    }
  }
  ~Outstanding() {
    if (count_ == 0) return;
    for (int i = 0; i < requests_.count(); ++i) {
      Request* const request = requests_[i];
      if (request == nullptr) continue;
      request->outstanding = nullptr;
      if (request->other != nullptr) request->other->outstanding = nullptr;
    }
  }
  Outstanding(const Outstanding&) = delete;
  Outstanding& operator=(const Outstanding&) = delete;

  // Waits for one of them, or for all.
  void wait(bool any) {
    const std::size_t enough = any ? count_ - 1 : 0;
    const Awaited awaited{.any = any, .list = list, .listed = this, .update = update};
    block_until([&] { return count_ <= enough; }, awaited);
  }

 private:
  // For the wait record: the first of them, and how many there are.
  static void update(const void* self, Awaited& now) {
    auto& outstanding = *static_cast<const Outstanding*>(self);
    const Resolved& requests = outstanding.requests_;
    const bool any = now.any;
    if (!requests.all_complete(outstanding.first_))
      now = p2p::awaited(*requests[outstanding.first_]);
    now.requests = static_cast<std::uint32_t>(outstanding.count_);
    now.any = any;
    now.list = list;
    now.listed = self;
  }
  static void list(const void* self, std::vector<Awaited>& into) {
    const Resolved& requests = static_cast<const Outstanding*>(self)->requests_;
    for (int i = 0; i < requests.count(); ++i) {
      if (requests.incomplete(i)) into.push_back(p2p::awaited(*requests[i]));
    }
  }

  const Resolved& requests_;
  std::size_t count_ = 0;  // not complete by now
  mutable int first_ = 0;  // all before it are complete
};

MPI_Status* at(MPI_Status* statuses, int index) {
  return statuses == nullptr ? nullptr : statuses + index;
}

// As finish(), for the program's handle.
Fault finish(MPI_Request& handle, Request& request, MPI_Status* status) {
  if (request.plain_receive()) {
    handle = MPI_REQUEST_NULL;
    set_status(status, request.source, request.received_tag, request.bytes);
    free_request(request);
    return {};
  }
  if (!request.persistent) handle = MPI_REQUEST_NULL;
  if (request.shared) {
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    return {};
  }
  return finish(request, status);
}

// Status and error of a request that stays as it is.
Fault report(const Request& request, MPI_Status* status) {
  if (request.kind == RequestKind::generalized) return query_generalized(request, status);
  if (request.kind == RequestKind::receive && !request.cancelled) {
    set_status(status, request.source, request.received_tag, request.bytes);
  } else {
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, request.cancelled);
  }
  return {};
}

struct Found {
  int index;  // of a complete request, -1 = none
  bool any;   // one counts at all
};

Found poll_for_one(const Resolved& requests) {
  if (requests.some_complete() || !requests.any()) {
    engine->poll_now_and_then();
  } else if (!engine->poll()) {
    return {-1, true};
  }
  return {requests.find_complete(), requests.any()};
}

// Waits until one is complete, unless none counts.
Found wait_for_one(const Resolved& requests) {
  const Found found = poll_for_one(requests);
  if (!found.any || found.index >= 0) return found;
  Outstanding(requests).wait(true);
  return {requests.find_complete(), true};
}

bool poll_for_all(const Resolved& requests) {
  int first = 0;
  if (!requests.all_complete(first)) return engine->poll() && requests.all_complete(first);
  engine->poll_now_and_then();
  return true;
}

// The requests are looked at in order while polls bring something, for a while.
void wait_for_all(const Resolved& requests) {
  constexpr int kPolls = 16;
  int first = 0;
  if (requests.all_complete(first)) return engine->poll_now_and_then();
  for (int poll = 0; poll < kPolls && engine->poll(); ++poll) {
    if (requests.all_complete(first)) return;
  }
  Outstanding(requests).wait(false);
}

// Whether a call that wants all of these need not look at more than one of them: the one
// that the last such call found incomplete. Of few requests all are looked at, so that
// a bad handle is an error at once.
class IncompleteBefore {
 public:
  bool still(int count, const MPI_Request* handles) {
    if (__builtin_expect(count < kMany || place_ >= count, 1)) return false;
    Request* request = nullptr;
    if (p2p::look_up(handles[place_], request) || request == nullptr) return false;
    if (!request->complete()) engine->poll();
    return !request->complete();
  }
  void remember(const Resolved& requests) {
    place_ = 0;
    requests.all_complete(place_);
  }

 private:
  static constexpr int kMany = 64;
  int place_ = 0;
};
IncompleteBefore incomplete_before;

// As poll_for_all(requests), which are looked up as far as it takes.
Fault poll_for_all(int count, const MPI_Request* handles, Resolved& requests, int* flag) {
  bool all = false;
  if (!incomplete_before.still(count, handles)) {
    if (Fault fault = requests.look_up(count, handles)) return fault;
    all = poll_for_all(requests);
    if (!all) incomplete_before.remember(requests);
  }
  *flag = all;
  if (!all) let_others_in();
  return {};
}

// Whether a request, null for none, is complete or has become so by a poll.
bool poll_for(const Request* request) {
  if (request != nullptr && !request->complete()) {
    engine->poll();
    return request->complete();
  }
  engine->poll_now_and_then();
  return true;
}

// What the calls that complete several requests say of them: each error in its
// status, and one error for the call.
class Several {
 public:
  explicit Several(MPI_Status* statuses) : statuses_(statuses) {}

  // `where` is the place in the statuses.
  void add(int where, Fault fault) {
    if (statuses_ != nullptr) statuses_[where].MPI_ERROR = fault.error_class();
    if (fault && text_.empty()) {
      text_ = fault.text();
      communicator_ = fault.communicator();
    }
  }

  Fault result() const {
    if (text_.empty()) return {};
    return fail_with(MPI_ERR_IN_STATUS, "the first error among the requests: " + text_,
                     communicator_);
  }

 private:
  MPI_Status* statuses_;
  std::string text_;
  Communicator* communicator_ = nullptr;
};

Fault finish_all(const Resolved& requests, MPI_Request* handles, MPI_Status* statuses) {
  Several several(statuses);
  for (int i = 0; i < requests.count(); ++i) {
    if (requests[i] == nullptr) {
      set_empty(at(statuses, i));
    } else {
      several.add(i, finish(handles[i], *requests[i], at(statuses, i)));
    }
  }
  return several.result();
}

// Finishes those that are complete; `outcount` is MPI_UNDEFINED when none counts.
Fault finish_some(const Resolved& requests, MPI_Request* handles, int* outcount, int* indices,
                  MPI_Status* statuses) {
  Several several(statuses);
  bool any = false;
  int found = 0;
  for (int i = 0; i < requests.count(); ++i) {
    if (requests[i] == nullptr) continue;
    any = true;
    if (!requests[i]->complete()) continue;
    several.add(found, finish(handles[i], *requests[i], at(statuses, found)));
    indices[found++] = i;
  }
  *outcount = any ? found : MPI_UNDEFINED;
  return several.result();
}

}  // namespace

Fault finish(Request& request, MPI_Status* status) {
  if (request.kind == RequestKind::generalized) return finish_generalized(request, status);
  Fault fault = report(request, status);
  if (Fault error = request.fault()) fault = error;
  if (request.other != nullptr) {  // the send half of MPI_Isendrecv
    if (!fault) fault = request.other->fault();
    free_request(*request.other);
  }
  if (request.persistent) {
    request.stage = Stage::inactive;
  } else {
    free_request(request);
  }
  return fault;
}

Fault wait(MPI_Request* request, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(*request, one)) return fault;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  block_on(*one);
  return finish(*request, *one, status);
}

Fault test(MPI_Request* request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(*request, one)) return fault;
  *flag = poll_for(one);
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (*flag) return finish(*request, *one, status);
  let_others_in();
  return {};
}

Fault waitany(int count, MPI_Request* array_of_requests, int* index, MPI_Status* status) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  const Found found = wait_for_one(requests);
  if (!found.any) {
    *index = MPI_UNDEFINED;
    set_empty(status);
    return {};
  }
  *index = found.index;
  return finish(array_of_requests[found.index], *requests[found.index], status);
}

Fault testany(int count, MPI_Request* array_of_requests, int* index, int* flag,
              MPI_Status* status) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  const Found found = poll_for_one(requests);
  *flag = found.index >= 0 || !found.any;
  *index = found.index >= 0 ? found.index : MPI_UNDEFINED;
  if (found.index >= 0) {
    return finish(array_of_requests[found.index], *requests[found.index], status);
  }
  if (!found.any) {
    set_empty(status);
  } else {
    let_others_in();
  }
  return {};
}

Fault waitsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(incount, array_of_requests)) return fault;
  wait_for_one(requests);
  return finish_some(requests, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

Fault testsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(incount, array_of_requests)) return fault;
  engine->poll();
  Fault fault =
      finish_some(requests, array_of_requests, outcount, array_of_indices, array_of_statuses);
  if (*outcount == 0) let_others_in();
  return fault;
}

Fault waitall(int count, MPI_Request* array_of_requests, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  wait_for_all(requests);
  return finish_all(requests, array_of_requests, array_of_statuses);
}

Fault testall(int count, MPI_Request* array_of_requests, int* flag, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = poll_for_all(count, array_of_requests, requests, flag)) return fault;
  return *flag ? finish_all(requests, array_of_requests, array_of_statuses) : Fault();
}

Fault request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(request, one)) return fault;
  *flag = poll_for(one);
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (*flag) return report(*one, status);
  let_others_in();
  return {};
}

Fault request_get_status_any(int count, const MPI_Request* array_of_requests, int* index, int* flag,
                             MPI_Status* status) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  const Found found = poll_for_one(requests);
  *flag = found.index >= 0 || !found.any;
  *index = found.index >= 0 ? found.index : MPI_UNDEFINED;
  if (found.index >= 0) return report(*requests[found.index], status);
  if (!found.any) {
    set_empty(status);
  } else {
    let_others_in();
  }
  return {};
}

Fault request_get_status_some(int incount, const MPI_Request* array_of_requests, int* outcount,
                              int* array_of_indices, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(incount, array_of_requests)) return fault;
  engine->poll();
  bool any = false;
  int found = 0;
  for (int i = 0; i < incount; ++i) {
    if (requests[i] == nullptr) continue;
    any = true;
    if (!requests[i]->complete()) continue;
    if (Fault fault = report(*requests[i], at(array_of_statuses, found))) return fault;
    array_of_indices[found++] = i;
  }
  *outcount = any ? found : MPI_UNDEFINED;
  if (*outcount == 0) let_others_in();
  return {};
}

Fault request_get_status_all(int count, const MPI_Request* array_of_requests, int* flag,
                             MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = poll_for_all(count, array_of_requests, requests, flag)) return fault;
  for (int i = 0; *flag && i < count; ++i) {
    if (requests[i] == nullptr) {
      set_empty(at(array_of_statuses, i));
    } else if (Fault fault = report(*requests[i], at(array_of_statuses, i))) {
      return fault;
    }
  }
  return {};
}

}  // namespace atl::p2p
