#include "runtime/p2p/requests.h"

#include <utility>

#include "runtime/p2p/engine.h"
#include "runtime/p2p/generalized.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::p2p {
namespace {

Fault check_startable(int index, MPI_Request handle) {
  const Request* request = find_request(handle);
  if (request == nullptr || !request->persistent) {
    return fail(MPI_ERR_REQUEST, "request %d (handle %p) is not a persistent request", index,
                static_cast<void*>(handle));
  }
  if (request->stage != Stage::inactive) {
    return fail(MPI_ERR_REQUEST, "request %d (handle %p) is active already", index,
                static_cast<void*>(handle));
  }
  return {};
}

Fault start_checked(Request& request) {
  request.error = MPI_SUCCESS;
  request.cancelled = false;
  if (request.kind == RequestKind::send) return begin(request);
  if (request.kind == RequestKind::receive) {
    begin_receive(request);
  } else {
    request.extras->restartable->start(request);
  }
  return {};
}

}  // namespace

Fault start(MPI_Request* request) { return startall(1, request); }

Fault startall(int count, MPI_Request* array_of_requests) {
  for (int i = 0; i < count; ++i) {
    if (Fault fault = check_startable(i, array_of_requests[i])) return fault;
  }
  for (int i = 0; i < count; ++i) {
    if (Fault fault = start_checked(*find_request(array_of_requests[i]))) return fault;
  }
  return {};
}

Fault cancel(MPI_Request* request) {
  Request* one = find_request(*request);
  if (one == nullptr) return bad_handle(HandleKind::request, "request", *request);
  if (one->stage == Stage::inactive) {
    return fail(MPI_ERR_REQUEST, "request %p is inactive", static_cast<void*>(*request));
  }
  switch (one->kind) {
    case RequestKind::send:
      engine->poll();  // a small message that waits for room may go out now
      if (one->active()) engine->cancel_send(*one);
      return {};
    case RequestKind::receive:
      engine->poll();
      engine->cancel_receive(*one);
      return {};
    case RequestKind::generalized: return cancel_generalized(*one);
    case RequestKind::flush: return fail(MPI_ERR_REQUEST, "a buffer flush cannot be cancelled");
    case RequestKind::collective:
      return fail(MPI_ERR_REQUEST,
                  "request %p is of a collective operation, which cannot be cancelled",
                  static_cast<void*>(*request));
  }
  return {};
}

Fault request_free(MPI_Request* request) {
  Request* one = find_request(*request);
  if (one == nullptr) return bad_handle(HandleKind::request, "request", *request);
  if (one->kind == RequestKind::collective && one->active()) {
    return fail(MPI_ERR_REQUEST, "request %p is of a collective operation, which is not complete",
                static_cast<void*>(*request));
  }
  *request = MPI_REQUEST_NULL;
  if (one->other != nullptr) {  // the two halves of MPI_Isendrecv end on their own
    MPI_Request send = handle_of(*std::exchange(one->other, nullptr));
    if (Fault fault = request_free(&send)) return fault;
  }
  if (one->active()) {
    one->detached = true;  // ends when it completes
  } else if (one->kind == RequestKind::generalized) {
    return finish_generalized(*one, nullptr);
  } else {
    free_request(*one);
  }
  return {};
}

}  // namespace atl::p2p
