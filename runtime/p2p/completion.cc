#include "runtime/p2p/completion.h"

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/generalized.h"
#include "runtime/p2p/status.h"

namespace atl::p2p {
namespace {

Fault bad_request(int index, MPI_Request handle) {
  return fail(MPI_ERR_REQUEST, "request %d (handle %p) is not a request, or was completed or freed",
              index, static_cast<void*>(handle));
}

// Nothing may be touched when one of the handles is bad.
Fault check_all(int count, const MPI_Request* handles) {
  for (int i = 0; i < count; ++i) {
    if (handles[i] != MPI_REQUEST_NULL && find_request(handles[i]) == nullptr) {
      return bad_request(i, handles[i]);
    }
  }
  return {};
}

// The request that counts in a wait or test: neither null nor inactive. Its
// handle was checked.
Request* pending(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  Request* request = find_request(handle);
  return request->stage == Stage::inactive ? nullptr : request;
}

MPI_Status* at(MPI_Status* statuses, int index) {
  return statuses == nullptr ? nullptr : statuses + index;
}

// As finish(), for the program's handle.
Fault finish(MPI_Request& handle, Request& request, MPI_Status* status) {
  if (!request.persistent) handle = MPI_REQUEST_NULL;
  return finish(request, status);
}

Awaited awaited_of(int count, const MPI_Request* handles) {
  Awaited result;
  result.requests = 0;
  for (int i = 0; i < count; ++i) {
    const Request* request = pending(handles[i]);
    if (request == nullptr || request->complete()) continue;
    if (result.requests++ == 0) {
      const std::uint32_t counted = result.requests;
      result = awaited(*request);
      result.requests = counted;
    }
  }
  return result;
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

// Index of a complete request, or of none: -1; `any` tells whether one is active.
int find_complete(int count, const MPI_Request* handles, bool& any) {
  any = false;
  for (int i = 0; i < count; ++i) {
    const Request* request = pending(handles[i]);
    if (request == nullptr) continue;
    any = true;
    if (request->complete()) return i;
  }
  return -1;
}

bool all_complete(int count, const MPI_Request* handles) {
  for (int i = 0; i < count; ++i) {
    const Request* request = pending(handles[i]);
    if (request != nullptr && !request->complete()) return false;
  }
  return true;
}

Fault finish_all(int count, MPI_Request* handles, MPI_Status* statuses) {
  Several several(statuses);
  for (int i = 0; i < count; ++i) {
    Request* request = pending(handles[i]);
    if (request == nullptr) {
      set_empty(at(statuses, i));
    } else {
      several.add(i, finish(handles[i], *request, at(statuses, i)));
    }
  }
  return several.result();
}

// Finishes those that are complete; `outcount` is MPI_UNDEFINED when none is active.
Fault finish_some(int count, MPI_Request* handles, int* outcount, int* indices,
                  MPI_Status* statuses) {
  Several several(statuses);
  bool any = false;
  int found = 0;
  for (int i = 0; i < count; ++i) {
    Request* request = pending(handles[i]);
    if (request == nullptr) continue;
    any = true;
    if (!request->complete()) continue;
    several.add(found, finish(handles[i], *request, at(statuses, found)));
    indices[found++] = i;
  }
  *outcount = any ? found : MPI_UNDEFINED;
  return several.result();
}

}  // namespace

Fault finish(Request& request, MPI_Status* status) {
  if (request.kind == RequestKind::generalized) return finish_generalized(request, status);
  Fault fault = report(request, status);
  if (request.error != MPI_SUCCESS) {
    fault = fail_with(request.error, *request.why, request.communicator);
  }
  if (request.other != nullptr) {  // the send half of MPI_Isendrecv
    if (!fault && request.other->error != MPI_SUCCESS) {
      fault = fail_with(request.other->error, *request.other->why, request.communicator);
    }
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
  if (Fault fault = check_all(1, request)) return fault;
  Request* one = pending(*request);
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (!one->complete()) block_on(*one);
  return finish(*request, *one, status);
}

Fault test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (Fault fault = check_all(1, request)) return fault;
  Request* one = pending(*request);
  *flag = 1;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (!one->complete()) engine->poll();
  if (one->complete()) return finish(*request, *one, status);
  *flag = 0;
  let_others_in();
  return {};
}

Fault waitany(int count, MPI_Request* array_of_requests, int* index, MPI_Status* status) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  bool any = false;
  int found = find_complete(count, array_of_requests, any);
  if (!any) {
    *index = MPI_UNDEFINED;
    set_empty(status);
    return {};
  }
  if (found < 0) {
    block_until([&] { return (found = find_complete(count, array_of_requests, any)) >= 0; },
                awaited_of(count, array_of_requests));
  }
  *index = found;
  return finish(array_of_requests[found], *pending(array_of_requests[found]), status);
}

Fault testany(int count, MPI_Request* array_of_requests, int* index, int* flag,
              MPI_Status* status) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  bool any = false;
  int found = find_complete(count, array_of_requests, any);
  if (any && found < 0) {
    engine->poll();
    found = find_complete(count, array_of_requests, any);
  }
  *flag = found >= 0 || !any;
  *index = found >= 0 ? found : MPI_UNDEFINED;
  if (found >= 0) {
    return finish(array_of_requests[found], *pending(array_of_requests[found]), status);
  }
  if (!any) {
    set_empty(status);
  } else {
    let_others_in();
  }
  return {};
}

Fault waitsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(incount, array_of_requests)) return fault;
  bool any = false;
  if (find_complete(incount, array_of_requests, any) < 0 && any) {
    block_until([&] { return find_complete(incount, array_of_requests, any) >= 0; },
                awaited_of(incount, array_of_requests));
  }
  return finish_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

Fault testsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(incount, array_of_requests)) return fault;
  engine->poll();
  let_others_in();
  return finish_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

Fault waitall(int count, MPI_Request* array_of_requests, MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  int first = 0;  // all before it are complete
  const auto done = [&] {
    for (; first < count; ++first) {
      const Request* request = pending(array_of_requests[first]);
      if (request != nullptr && !request->complete()) return false;
    }
    return true;
  };
  if (!done()) block_until(done, awaited_of(count, array_of_requests));
  return finish_all(count, array_of_requests, array_of_statuses);
}

Fault testall(int count, MPI_Request* array_of_requests, int* flag,
              MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  if (!all_complete(count, array_of_requests)) engine->poll();
  *flag = all_complete(count, array_of_requests);
  if (*flag) return finish_all(count, array_of_requests, array_of_statuses);
  let_others_in();
  return {};
}

Fault request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  if (Fault fault = check_all(1, &request)) return fault;
  const Request* one = pending(request);
  *flag = 1;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (!one->complete()) engine->poll();
  *flag = one->complete();
  return *flag ? report(*one, status) : Fault();
}

Fault request_get_status_any(int count, const MPI_Request* array_of_requests, int* index,
                             int* flag, MPI_Status* status) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  engine->poll();
  bool any = false;
  const int found = find_complete(count, array_of_requests, any);
  *flag = found >= 0 || !any;
  *index = found >= 0 ? found : MPI_UNDEFINED;
  if (found >= 0) return report(*pending(array_of_requests[found]), status);
  if (!any) set_empty(status);
  return {};
}

Fault request_get_status_some(int incount, const MPI_Request* array_of_requests, int* outcount,
                              int* array_of_indices, MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(incount, array_of_requests)) return fault;
  engine->poll();
  bool any = false;
  int found = 0;
  for (int i = 0; i < incount; ++i) {
    const Request* request = pending(array_of_requests[i]);
    if (request == nullptr) continue;
    any = true;
    if (!request->complete()) continue;
    if (Fault fault = report(*request, at(array_of_statuses, found))) return fault;
    array_of_indices[found++] = i;
  }
  *outcount = any ? found : MPI_UNDEFINED;
  return {};
}

Fault request_get_status_all(int count, const MPI_Request* array_of_requests, int* flag,
                             MPI_Status* array_of_statuses) {
  if (Fault fault = check_all(count, array_of_requests)) return fault;
  engine->poll();
  *flag = all_complete(count, array_of_requests);
  for (int i = 0; *flag && i < count; ++i) {
    const Request* request = pending(array_of_requests[i]);
    if (request == nullptr) {
      set_empty(at(array_of_statuses, i));
    } else if (Fault fault = report(*request, at(array_of_statuses, i))) {
      return fault;
    }
  }
  return {};
}

}  // namespace atl::p2p
