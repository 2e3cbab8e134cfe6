#include "runtime/p2p/completion.h"

#include <string>

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/generalized.h"
#include "runtime/p2p/resolved.h"
#include "runtime/p2p/status.h"
#include "runtime/p2p/wait_set.h"

namespace atl::p2p {
namespace {

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
// For a handle that was looked up before.
Fault finish(MPI_Request& handle, MPI_Status* status) {
  return finish(handle, *find_request(handle), status);
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

WaitSet wait_set;

Fault find_one(int count, const MPI_Request* handles, bool wait, Found& found) {
  if (WaitSet::fits(count)) return wait_set.find_one(count, handles, wait, found);
  Resolved requests;
  if (Fault fault = requests.look_up(count, handles)) return fault;
  found = wait ? wait_for_one(requests) : poll_for_one(requests);
  return {};
}

// All complete ones: `outcount` is how many, MPI_UNDEFINED where none counts.
Fault find_some(int count, const MPI_Request* handles, bool wait, int* outcount, int* indices) {
  if (WaitSet::fits(count)) return wait_set.find_some(count, handles, wait, outcount, indices);
  Resolved requests;
  if (Fault fault = requests.look_up(count, handles)) return fault;
  if (wait) {
    wait_for_one(requests);
  } else {
    engine->poll();
  }
  *outcount = requests.any() ? 0 : MPI_UNDEFINED;
  for (int i = 0; i < count; ++i) {
    if (requests[i] != nullptr && requests[i]->complete()) indices[(*outcount)++] = i;
  }
  return {};
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
    if (__builtin_expect(count < kManyRequests || place_ >= count, 1)) return false;
    Request* request = nullptr;
    if (p2p::look_up(place_, handles[place_], request) || request == nullptr) return false;
    if (!request->complete()) engine->poll();
    return !request->complete();
  }
  void remember(const Resolved& requests) {
    place_ = 0;
    requests.all_complete(place_);
  }

 private:
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

// Finishes those that find_some() has found.
Fault finish_some(MPI_Request* handles, int count, const int* indices, MPI_Status* statuses) {
  Several several(statuses);
  for (int i = 0; i < count; ++i) {
    several.add(i, finish(handles[indices[i]], at(statuses, i)));
  }
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
  if (Fault fault = look_up(kNoArray, *request, one)) return fault;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  block_on(*one);
  return finish(*request, *one, status);
}

Fault test(MPI_Request* request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(kNoArray, *request, one)) return fault;
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
  Found found{};
  if (Fault fault = find_one(count, array_of_requests, true, found)) return fault;
  if (!found.any) {
    *index = MPI_UNDEFINED;
    set_empty(status);
    return {};
  }
  *index = found.index;
  return finish(array_of_requests[found.index], status);
}

namespace {

// Index and flag of the calls that test whether any is complete; true when one is.
bool tell(const Found& found, int* index, int* flag, MPI_Status* status) {
  const bool complete = found.index >= 0;
  *index = complete ? found.index : MPI_UNDEFINED;
  *flag = complete || !found.any;
  if (!found.any) set_empty(status);
  if (!*flag) let_others_in();
  return complete;
}

}  // namespace

Fault testany(int count, MPI_Request* array_of_requests, int* index, int* flag,
              MPI_Status* status) {
  Found found{};
  if (Fault fault = find_one(count, array_of_requests, false, found)) return fault;
  return tell(found, index, flag, status) ? finish(array_of_requests[found.index], status)
                                          : Fault();
}

Fault waitsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Fault fault = find_some(incount, array_of_requests, true, outcount, array_of_indices)) {
    return fault;
  }
  return finish_some(array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

Fault testsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Fault fault = find_some(incount, array_of_requests, false, outcount, array_of_indices)) {
    return fault;
  }
  if (*outcount == 0) let_others_in();
  return finish_some(array_of_requests, *outcount, array_of_indices, array_of_statuses);
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
  if (Fault fault = look_up(kNoArray, request, one)) return fault;
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
  Found found{};
  if (Fault fault = find_one(count, array_of_requests, false, found)) return fault;
  if (!tell(found, index, flag, status)) return {};
  return report(*find_request(array_of_requests[found.index]), status);
}

Fault request_get_status_some(int incount, const MPI_Request* array_of_requests, int* outcount,
                              int* array_of_indices, MPI_Status* array_of_statuses) {
  if (Fault fault = find_some(incount, array_of_requests, false, outcount, array_of_indices)) {
    return fault;
  }
  if (*outcount == 0) let_others_in();
  for (int i = 0; i < *outcount; ++i) {
    const Request& request = *find_request(array_of_requests[array_of_indices[i]]);
    if (Fault fault = report(request, at(array_of_statuses, i))) return fault;
  }
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
