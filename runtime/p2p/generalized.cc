#include "runtime/p2p/generalized.h"

#include "runtime/p2p/engine.h"
#include "runtime/p2p/status.h"

namespace atl::p2p {
namespace {

Error callback_failed(const char* which, int error) {
  if (error == MPI_SUCCESS) return {};
  return make_error(error, "the %s callback of the generalized request returned %d", which, error);
}

}  // namespace

Error grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                     MPI_Grequest_cancel_function* cancel_fn, void* extra_state,
                     MPI_Request* request) {
  Request& made = requests.create();
  made.kind = RequestKind::generalized;
  made.stage = Stage::active;
  made.extra().generalized = Generalized{query_fn, free_fn, cancel_fn, extra_state};
  *request = handle_of(made);
  return {};
}

Error grequest_complete(MPI_Request request) {
  Request* one = find_request(request);
  if (one == nullptr || one->kind != RequestKind::generalized || one->complete()) {
    return make_error(MPI_ERR_REQUEST, "request %p is not a generalized request that is active",
                      static_cast<void*>(request));
  }
  if (one->detached) return finish_generalized(*one, nullptr);
  engine->complete(*one);
  return {};
}

Error query_generalized(const Request& request, MPI_Status* status) {
  MPI_Status unwanted;
  MPI_Status& filled = status != nullptr ? *status : unwanted;
  set_empty(&filled);
  const Generalized callbacks = *request.extras->generalized;
  const OutsideMpi outside;
  return callback_failed("query", callbacks.query(callbacks.extra_state, &filled));
}

Error finish_generalized(Request& request, MPI_Status* status) {
  const Error queried = query_generalized(request, status);
  const Generalized callbacks = *request.extras->generalized;
  free_request(request);
  const OutsideMpi outside;
  const int error = callbacks.free(callbacks.extra_state);
  return queried ? queried : callback_failed("free", error);
}

Error cancel_generalized(const Request& request) {
  const Generalized callbacks = *request.extras->generalized;
  const bool complete = request.complete();
  const OutsideMpi outside;
  return callback_failed("cancel", callbacks.cancel(callbacks.extra_state, complete));
}

}  // namespace atl::p2p
