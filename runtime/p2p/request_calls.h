// Starting, cancelling and freeing requests (MPI 5.0, 3.7.3, 3.8.4, 3.9).
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error start(MPI_Request* request);
Error startall(int count, MPI_Request* array_of_requests);
Error cancel(MPI_Request* request);
Error request_free(MPI_Request* request);

}  // namespace atl::p2p
