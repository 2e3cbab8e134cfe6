// Generalized requests (MPI 5.0, 13.2).
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Fault grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                     MPI_Grequest_cancel_function* cancel_fn, void* extra_state,
                     MPI_Request* request);
Fault grequest_complete(MPI_Request request);

// The program's query callback, without ending the request.
Fault query_generalized(const Request& request, MPI_Status* status);

// The cancel callback.
Fault cancel_generalized(const Request& request);

// Query and free callbacks, and the end of the request.
Fault finish_generalized(Request& request, MPI_Status* status);

}  // namespace atl::p2p
