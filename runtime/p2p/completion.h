// Completion (MPI 5.0, 3.7.3 to 3.7.6) of all kinds of requests.
#pragma once

#include <mpi.h>

#include "runtime/p2p/request.h"

namespace atl::p2p {

Error wait(MPI_Request* request, MPI_Status* status);
Error test(MPI_Request* request, int* flag, MPI_Status* status);
Error waitany(int count, MPI_Request* array_of_requests, int* index, MPI_Status* status);
Error testany(int count, MPI_Request* array_of_requests, int* index, int* flag, MPI_Status* status);
Error waitsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses);
Error testsome(int incount, MPI_Request* array_of_requests, int* outcount, int* array_of_indices,
               MPI_Status* array_of_statuses);
Error waitall(int count, MPI_Request* array_of_requests, MPI_Status* array_of_statuses);
Error testall(int count, MPI_Request* array_of_requests, int* flag, MPI_Status* array_of_statuses);

Error request_get_status(MPI_Request request, int* flag, MPI_Status* status);
Error request_get_status_any(int count, const MPI_Request* array_of_requests, int* index, int* flag,
                             MPI_Status* status);
Error request_get_status_some(int incount, const MPI_Request* array_of_requests, int* outcount,
                              int* array_of_indices, MPI_Status* array_of_statuses);
Error request_get_status_all(int count, const MPI_Request* array_of_requests, int* flag,
                             MPI_Status* array_of_statuses);

// Returns the status and error of a complete request and frees it, or makes a persistent one
// inactive.
Error finish(Request& request, MPI_Status* status);

}  // namespace atl::p2p
