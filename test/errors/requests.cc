// Bad arguments to the calls that start, complete, cancel and free requests.
#include <algorithm>
#include <array>
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

MPI_Request completed_request() {
  int out = 1, in = 0;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, check::rank, 1, MPI_COMM_WORLD, &requests[0]);
  const MPI_Request stale = requests[0];
  MPI_Isend(&out, 1, MPI_INT, check::rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return stale;
}

// One request that was completed, and one that never was one.
void one_bad_request(MPI_Request bad) {
  const MPI_Request before = bad;
  Untouched<int> flag;
  Untouched<MPI_Status> status;
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Wait(&bad, &status));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Test(&bad, &flag, &status));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Request_get_status(bad, &flag, &status));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Request_free(&bad));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Cancel(&bad));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Start(&bad));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Startall(1, &bad));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Grequest_complete(bad));
  CHECK(bad == before);
}

// Among good requests a bad one stops the call before it touches any.
void bad_request_in_list(MPI_Request bad) {
  int in = -1, out = 4;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, bad};
  MPI_Irecv(&in, 1, MPI_INT, check::rank, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, check::rank, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Request before[3];
  std::copy_n(requests, 3, before);
  {
    Untouched<int> flag, index, count;
    Untouched<std::array<int, 3>> indices;
    Untouched<std::array<MPI_Status, 3>> statuses;
    int* const where = (&indices)->data();
    MPI_Status* const status = (&statuses)->data();
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2", MPI_Waitall(3, requests, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2",
                 MPI_Waitany(3, requests, &index, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2",
                 MPI_Waitsome(3, requests, &count, where, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2",
                 MPI_Testall(3, requests, &flag, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2",
                 MPI_Testany(3, requests, &index, &flag, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "array_of_requests", "2",
                 MPI_Testsome(3, requests, &count, where, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "request", "2",
                 MPI_Request_get_status_all(3, requests, &flag, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "request", "2",
                 MPI_Request_get_status_any(3, requests, &index, &flag, status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "request", "2",
                 MPI_Request_get_status_some(3, requests, &count, where, status));
  }
  CHECK(std::equal(requests, requests + 3, before));
  CHECK_EQ(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  CHECK_EQ(in, 4);
}

void null_requests() {
  MPI_Request none = MPI_REQUEST_NULL;
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Request_free(&none));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Cancel(&none));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Start(&none));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Startall(1, &none));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Grequest_complete(none));
}

void missing_addresses() {
  Untouched<int> flag, index, count, where;
  Untouched<MPI_Status> status;
  MPI_Request none = MPI_REQUEST_NULL;
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Wait(nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Test(nullptr, &flag, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Test(&none, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Request_get_status(none, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Request_free(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Cancel(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Start(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2", MPI_Startall(2, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2", MPI_Waitall(2, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2", MPI_Waitany(2, nullptr, &index, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "indx", "", MPI_Waitany(1, &none, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Waitsome(2, nullptr, &count, &where, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "outcount", "", MPI_Waitsome(1, &none, nullptr, &where, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_indices", "",
               MPI_Waitsome(1, &none, &count, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2", MPI_Testall(2, nullptr, &flag, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Testall(1, &none, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Testany(2, nullptr, &index, &flag, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Testsome(2, nullptr, &count, &where, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Request_get_status_all(2, nullptr, &flag, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Request_get_status_any(2, nullptr, &index, &flag, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_requests", "2",
               MPI_Request_get_status_some(2, nullptr, &count, &where, &status));
}

void negative_counts() {
  Untouched<int> flag, index, count, where;
  Untouched<MPI_Status> status;
  MPI_Request none = MPI_REQUEST_NULL;
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Startall(-1, &none));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Waitall(-1, &none, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Waitany(-1, &none, &index, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "-1", MPI_Waitsome(-1, &none, &count, &where, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Testall(-1, &none, &flag, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Testany(-1, &none, &index, &flag, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "-1", MPI_Testsome(-1, &none, &count, &where, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Request_get_status_all(-1, &none, &flag, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1",
               MPI_Request_get_status_any(-1, &none, &index, &flag, &status));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "-1",
               MPI_Request_get_status_some(-1, &none, &count, &where, &status));
}

// Only inactive persistent requests can be started; with one that cannot, none is.
void starting() {
  int in = -1, other_in = -1, out = 6;
  MPI_Request plain, persistent, active;
  MPI_Irecv(&other_in, 1, MPI_INT, check::rank, 5, MPI_COMM_WORLD, &plain);
  MPI_Recv_init(&in, 1, MPI_INT, check::rank, 4, MPI_COMM_WORLD, &persistent);
  MPI_Recv_init(&in, 1, MPI_INT, check::rank, 99, MPI_COMM_WORLD, &active);
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Start(&plain));
  MPI_Start(&active);
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Start(&active));
  MPI_Request list[2] = {persistent, plain};
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "1", MPI_Startall(2, list));
  list[1] = active;
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "1", MPI_Startall(2, list));
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Cancel(&persistent));  // not active
  // Had the first been started, it could not be started now.
  CHECK_EQ(MPI_Start(&persistent), MPI_SUCCESS);
  MPI_Send(&out, 1, MPI_INT, check::rank, 4, MPI_COMM_WORLD);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  CHECK_EQ(in, 6);
  for (MPI_Request* request : {&active, &plain}) {
    MPI_Cancel(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&active);
  MPI_Request_free(&persistent);
}

int query(void*, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int release(void*) { return MPI_SUCCESS; }
int cancel(void*, int) { return MPI_SUCCESS; }

void generalized() {
  {
    Untouched<MPI_Request> request;
    EXPECT_ERROR(MPI_ERR_ARG, "query_fn", "",
                 MPI_Grequest_start(nullptr, release, cancel, nullptr, &request));
    EXPECT_ERROR(MPI_ERR_ARG, "free_fn", "",
                 MPI_Grequest_start(query, nullptr, cancel, nullptr, &request));
    EXPECT_ERROR(MPI_ERR_ARG, "cancel_fn", "",
                 MPI_Grequest_start(query, release, nullptr, nullptr, &request));
    EXPECT_ERROR(MPI_ERR_ARG, "request", "",
                 MPI_Grequest_start(query, release, cancel, nullptr, nullptr));
  }
  // Only a generalized request can be completed by hand, and only once.
  int in = -1;
  MPI_Request receive, generalized;
  MPI_Irecv(&in, 1, MPI_INT, check::rank, 8, MPI_COMM_WORLD, &receive);
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Grequest_complete(receive));
  MPI_Cancel(&receive);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Grequest_start(query, release, cancel, nullptr, &generalized);
  CHECK_EQ(MPI_Grequest_complete(generalized), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_REQUEST, "request", "", MPI_Grequest_complete(generalized));
  CHECK_EQ(MPI_Wait(&generalized, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  for (MPI_Request bad : {completed_request(), errors::garbage<MPI_Request>()}) {
    one_bad_request(bad);
    bad_request_in_list(bad);
  }
  null_requests();
  missing_addresses();
  negative_counts();
  starting();
  generalized();
  errors::check_all_is_well();
  return check::finish();
}
