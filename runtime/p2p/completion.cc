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
    }
    return {};
  }

  int count() const { return static_cast<int>(requests_.size()); }

  // Null for those that do not count: null and inactive ones.
  Request* operator[](int index) const { return requests_[static_cast<std::size_t>(index)]; }

  // Index of a complete request, or -1; `any` tells whether one counts at all. Of receives
  // the one that was begun first: who keeps several for any sender then hears each sender
  // in the order of its messages, and no sender is starved.
  int find_complete(bool& any) const {
    any = false;
    int found = -1;
    for (int i = 0; i < count(); ++i) {
      const Request* request = (*this)[i];
      if (request == nullptr) continue;
      any = true;
      if (!request->complete()) continue;
      if (request->kind != RequestKind::receive) return i;
      if (found < 0 || request->post_order < (*this)[found]->post_order) found = i;
    }
    return found;
  }

  // True when all from `first` on are complete; `first` becomes the first that is not.
  bool all_complete(int& first) const {
    for (; first < count(); ++first) {
      if ((*this)[first] != nullptr && !(*this)[first]->complete()) return false;
    }
    return true;
  }

  // For the wait record: the first that is not complete, and how many there are.
  Awaited awaited(bool any) const {
    std::vector<Awaited> all;
    list(this, all);
    Awaited result = all.empty() ? Awaited() : all.front();
    result.requests = static_cast<std::uint32_t>(all.size());
    result.any = any;
    result.list = list;
    result.listed = this;
    return result;
  }

 private:
  // All that are not complete.
  static void list(const void* self, std::vector<Awaited>& into) {
    for (const Request* request : static_cast<const Resolved*>(self)->requests_) {
      if (request != nullptr && !request->complete()) into.push_back(p2p::awaited(*request));
    }
  }

  boost::container::small_vector<Request*, 64> requests_;
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
  Found found{};
  found.index = requests.find_complete(found.any);
  if (found.any && found.index < 0) {
    engine->poll();
    found.index = requests.find_complete(found.any);
  }
  return found;
}

bool poll_for_all(const Resolved& requests) {
  int first = 0;
  if (requests.all_complete(first)) return true;
  engine->poll();
  return requests.all_complete(first);
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
  if (!one->complete()) block_on(*one);
  return finish(*request, *one, status);
}

Fault test(MPI_Request* request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(*request, one)) return fault;
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
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  bool any = false;
  int found = requests.find_complete(any);
  if (!any) {
    *index = MPI_UNDEFINED;
    set_empty(status);
    return {};
  }
  if (found < 0) {
    block_until([&] { return (found = requests.find_complete(any)) >= 0; }, requests.awaited(true));
  }
  *index = found;
  return finish(array_of_requests[found], *requests[found], status);
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
  bool any = false;
  if (requests.find_complete(any) < 0 && any) {
    block_until([&] { return requests.find_complete(any) >= 0; }, requests.awaited(true));
  }
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
  int first = 0;
  if (!requests.all_complete(first)) {
    block_until([&] { return requests.all_complete(first); }, requests.awaited(false));
  }
  return finish_all(requests, array_of_requests, array_of_statuses);
}

Fault testall(int count, MPI_Request* array_of_requests, int* flag, MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  *flag = poll_for_all(requests);
  if (*flag) return finish_all(requests, array_of_requests, array_of_statuses);
  let_others_in();
  return {};
}

Fault request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  Request* one = nullptr;
  if (Fault fault = look_up(request, one)) return fault;
  *flag = 1;
  if (one == nullptr) {
    set_empty(status);
    return {};
  }
  if (!one->complete()) engine->poll();
  *flag = one->complete();
  return *flag ? report(*one, status) : Fault();
}

Fault request_get_status_any(int count, const MPI_Request* array_of_requests, int* index, int* flag,
                             MPI_Status* status) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  const Found found = poll_for_one(requests);
  *flag = found.index >= 0 || !found.any;
  *index = found.index >= 0 ? found.index : MPI_UNDEFINED;
  if (found.index >= 0) return report(*requests[found.index], status);
  if (!found.any) set_empty(status);
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
  return {};
}

Fault request_get_status_all(int count, const MPI_Request* array_of_requests, int* flag,
                             MPI_Status* array_of_statuses) {
  Resolved requests;
  if (Fault fault = requests.look_up(count, array_of_requests)) return fault;
  *flag = poll_for_all(requests);
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
