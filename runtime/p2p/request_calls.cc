#include "runtime/p2p/request_calls.h"

#include <utility>

#include "runtime/p2p/engine.h"
#include "runtime/p2p/generalized.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::p2p {
namespace {

Error check_startable(int index, MPI_Request handle) {
  const Request* request = find_request(handle);
  if (request == nullptr || !request->persistent) {
    return make_error(MPI_ERR_REQUEST, "request %d (handle %p) is not a persistent request", index,
                      static_cast<void*>(handle));
  }
  if (request->stage != Stage::inactive) {
    return make_error(MPI_ERR_REQUEST, "request %d (handle %p) is active already", index,
                      static_cast<void*>(handle));
  }
  return {};
}

Error start_checked(Request& request) {
  request.error_class = MPI_SUCCESS;
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

Error start(MPI_Request* request) { return startall(1, request); }

Error startall(int count, MPI_Request* array_of_requests) {
  for (int i = 0; i < count; ++i) {
    if (Error error = check_startable(i, array_of_requests[i])) return error;
  }
  for (int i = 0; i < count; ++i) {
    if (Error error = start_checked(*find_request(array_of_requests[i]))) return error;
  }
  return {};
}

Error cancel(MPI_Request* request) {
  Request* one = find_request(*request);
  if (one == nullptr) return bad_handle(HandleKind::request, "request", *request);
  if (one->stage == Stage::inactive) {
    return make_error(MPI_ERR_REQUEST, "request %p is inactive", static_cast<void*>(*request));
  }
  switch (one->kind) {
    case RequestKind::send:
      engine->poll();  // it may be sent now if it only waits for ring space
      if (one->active()) engine->cancel_send(*one);
      return {};
    case RequestKind::receive:
      engine->poll();
      engine->cancel_receive(*one);
      return {};
    case RequestKind::generalized: return cancel_generalized(*one);
    case RequestKind::flush:
      return make_error(MPI_ERR_REQUEST, "a buffer flush cannot be cancelled");
    case RequestKind::collective:
      return make_error(MPI_ERR_REQUEST,
                        "request %p is of a collective operation, which cannot be cancelled",
                        static_cast<void*>(*request));
  }
  return {};
}

Error request_free(MPI_Request* request) {
  Request* one = find_request(*request);
  if (one == nullptr) return bad_handle(HandleKind::request, "request", *request);
  if (one->kind == RequestKind::collective && one->active()) {
    return make_error(MPI_ERR_REQUEST,
                      "request %p is of a collective operation, which is not complete",
                      static_cast<void*>(*request));
  }
  *request = MPI_REQUEST_NULL;
  if (one->other != nullptr) {  // the two halves of MPI_Isendrecv are freed separately
    MPI_Request send = handle_of(*std::exchange(one->other, nullptr));
    if (Error error = request_free(&send)) return error;
  }
  if (one->active()) {
    one->detached = true;  // freed when it completes
  } else if (one->kind == RequestKind::generalized) {
    return finish_generalized(*one, nullptr);
  } else {
    free_request(*one);
  }
  return {};
}

}  // namespace atl::p2p
