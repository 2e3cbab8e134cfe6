// Generalized requests (MPI 5.0, 13.2).
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                     MPI_Grequest_cancel_function* cancel_fn, void* extra_state,
                     MPI_Request* request);
Error grequest_complete(MPI_Request request);

// Calls the program's query callback; the request stays.
Error query_generalized(const Request& request, MPI_Status* status);

// Calls the program's cancel callback.
Error cancel_generalized(const Request& request);

// Calls the query and free callbacks and frees the request.
Error finish_generalized(Request& request, MPI_Status* status);

}  // namespace atl::p2p
