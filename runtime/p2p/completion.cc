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
Error finish(MPI_Request& handle, Request& request, MPI_Status* status) {
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
Error finish(MPI_Request& handle, MPI_Status* status) {
  return finish(handle, *find_request(handle), status);
}

// Status and error of a complete request, which stays as it is.
Error report(const Request& request, MPI_Status* status) {
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

// Waits until one request is complete, unless all are null or inactive.
Found wait_for_one(const Resolved& requests) {
  const Found found = poll_for_one(requests);
  if (!found.any || found.index >= 0) return found;
  Outstanding(requests).wait(true);
  return {requests.find_complete(), true};
}

WaitSet wait_set;

Error find_one(int count, const MPI_Request* handles, bool wait, Found& found) {
  if (WaitSet::fits(count)) return wait_set.find_one(count, handles, wait, found);
  Resolved requests;
  if (Error error = requests.look_up(count, handles)) return error;
  found = wait ? wait_for_one(requests) : poll_for_one(requests);
  return {};
}

// Finds all complete requests: `outcount` is their number, or MPI_UNDEFINED when all requests are
// null or inactive.
Error find_some(int count, const MPI_Request* handles, bool wait, int* outcount, int* indices) {
  if (WaitSet::fits(count)) return wait_set.find_some(count, handles, wait, outcount, indices);
  Resolved requests;
  if (Error error = requests.look_up(count, handles)) return error;
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

// Checks the requests in order after each poll that makes progress, at most kPolls times, then
// blocks.
void wait_for_all(const Resolved& requests) {
  constexpr int kPolls = 16;
  int first = 0;
  if (requests.all_complete(first)) return engine->poll_now_and_then();
  for (int poll = 0; poll < kPolls && engine->poll(); ++poll) {
    if (requests.all_complete(first)) return;
  }
  Outstanding(requests).wait(false);
}

// Whether a call that tests for all of these requests need check only one of them: the one that
// the last such call found incomplete. Of few requests all are checked, so that a bad handle is
// an error at once.
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

// As poll_for_all(requests); looks the handles up only if it needs them.
Error poll_for_all(int count, const MPI_Request* handles, Resolved& requests, int* flag) {
  bool all = false;
  if (!incomplete_before.still(count, handles)) {
    if (Error error = requests.look_up(count, handles)) return error;
    all = poll_for_all(requests);
    if (!all) incomplete_before.remember(requests);
  }
  *flag = all;
  if (!all) yield_to_others();
  return {};
}

// Whether a request is complete, after a poll if it was not before; true for null.
bool poll_for(const Request* request) {
  if (request != nullptr && !request->complete()) {
    engine->poll();
    return request->complete();
  }
  engine->poll_now_and_then();
  return true;
}

// The results of a call that completes several requests: each error in its status, and one error
// for the call.
class Several {
 public:
  explicit Several(MPI_Status* statuses) : statuses_(statuses) {}

  // `where` is the place in the statuses.
  void add(int where, Error error) {
    if (statuses_ != nullptr) statuses_[where].MPI_ERROR = error.error_class();
    if (error && text_.empty()) {
      text_ = error.text();
      communicator_ = error.communicator();
    }
  }

  Error result() const {
    if (text_.empty()) return {};
    return make_error_for(MPI_ERR_IN_STATUS, "the first error among the requests: " + text_,
                          communicator_);
  }

 private:
  MPI_Status* statuses_;
  std::string text_;
  Communicator* communicator_ = nullptr;
};

Error finish_all(const Resolved& requests, MPI_Request* handles, MPI_Status* statuses) {
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

// Finishes the requests that find_some() has found.
Error finish_some(MPI_Request* handles, int count, const int* indices, MPI_Status* statuses) {
  Several several(statuses);
  for (int i = 0; i < count; ++i) {
    several.add(i, finish(handles[indices[i]], at(statuses, i)));
  }
  return several.result();
}

}  // namespace

Error finish(Request& request, MPI_Status* status) {
  if (request.kind == RequestKind::generalized) return finish_generalized(request, status);
  Error error = report(request, status);
  if (Error own = request.error()) error = own;
  if (request.other != nullptr) {  // the send half of MPI_Isendrecv
    if (!error) error = request.other->error();
    free_request(*request.other);
  }
  if (request.persistent) {
    request.stage = Stage::inactive;
  } else {
    free_request(request);
  }
  return error;
}

Error wait(MPI_Request* request, MPI_Status* status) {
  Request* one = nullptr;
  if (Error error = look_up(kNoArray, *request, one)) return error;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  block_on(*one);
  return finish(*request, *one, status);
}

Error test(MPI_Request* request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Error error = look_up(kNoArray, *request, one)) return error;
  *flag = poll_for(one);
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (*flag) return finish(*request, *one, status);
  yield_to_others();
  return {};
}

Error waitany(int count, MPI_Request* array_of_requests, int* index, MPI_Status* status) {
  Found found{};
  if (Error error = find_one(count, array_of_requests, true, found)) return error;
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
  if (!*flag) yield_to_others();
  return complete;
}

}  // namespace

Error testany(int count, MPI_Request* array_of_requests, int* index, int* flag,
              MPI_Status* status) {
  Found found{};
  if (Error error = find_one(count, array_of_requests, false, found)) return error;
  return tell(found, index, flag, status) ? finish(array_of_requests[found.index], status)
                                          : Error();
}

Error waitsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Error error = find_some(incount, array_of_requests, true, outcount, array_of_indices)) {
    return error;
  }
  return finish_some(array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

Error testsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Error error = find_some(incount, array_of_requests, false, outcount, array_of_indices)) {
    return error;
  }
  if (*outcount == 0) yield_to_others();
  return finish_some(array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

Error waitall(int count, MPI_Request* array_of_requests, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Error error = requests.look_up(count, array_of_requests)) return error;
  wait_for_all(requests);
  return finish_all(requests, array_of_requests, array_of_statuses);
}

Error testall(int count, MPI_Request* array_of_requests, int* flag, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Error error = poll_for_all(count, array_of_requests, requests, flag)) return error;
  return *flag ? finish_all(requests, array_of_requests, array_of_statuses) : Error();
}

Error request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Error error = look_up(kNoArray, request, one)) return error;
  *flag = poll_for(one);
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (*flag) return report(*one, status);
  yield_to_others();
  return {};
}

Error request_get_status_any(int count, const MPI_Request* array_of_requests, int* index, int* flag,
                             MPI_Status* status) {
  Found found{};
  if (Error error = find_one(count, array_of_requests, false, found)) return error;
  if (!tell(found, index, flag, status)) return {};
  return report(*find_request(array_of_requests[found.index]), status);
}

Error request_get_status_some(int incount, const MPI_Request* array_of_requests, int* outcount,
                              int* array_of_indices, MPI_Status* array_of_statuses) {
  if (Error error = find_some(incount, array_of_requests, false, outcount, array_of_indices)) {
    return error;
  }
  if (*outcount == 0) yield_to_others();
  for (int i = 0; i < *outcount; ++i) {
    const Request& request = *find_request(array_of_requests[array_of_indices[i]]);
    if (Error error = report(request, at(array_of_statuses, i))) return error;
  }
  return {};
}

Error request_get_status_all(int count, const MPI_Request* array_of_requests, int* flag,
                             MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Error error = poll_for_all(count, array_of_requests, requests, flag)) return error;
  for (int i = 0; *flag && i < count; ++i) {
    if (requests[i] == nullptr) {
      set_empty(at(array_of_statuses, i));
    } else if (Error error = report(*requests[i], at(array_of_statuses, i))) {
      return error;
    }
  }
  return {};
}

}  // namespace atl::p2p
