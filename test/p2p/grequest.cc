// Generalized requests (13.2): when the callbacks run, how often, and how completion calls use
// their results.
#include <vector>

#include "test/check.h"

namespace {

// The calls of one request's callbacks, and the results that they shall return.
struct Log {
  int queries = 0;
  int frees = 0;
  int cancels = 0;
  int cancel_complete = -1;  // `complete` argument of the cancel callback
  int query_answer = MPI_SUCCESS;
};

int query(void* extra, MPI_Status* status) {
  auto* log = static_cast<Log*>(extra);
  ++log->queries;
  MPI_Status_set_elements(status, MPI_INT, 42);
  MPI_Status_set_cancelled(status, log->cancels > 0);
  status->MPI_SOURCE = 5;
  status->MPI_TAG = 6;
  return log->query_answer;
}

int release(void* extra) {
  ++static_cast<Log*>(extra)->frees;
  return MPI_SUCCESS;
}

int cancel(void* extra, int complete) {
  auto* log = static_cast<Log*>(extra);
  ++log->cancels;
  log->cancel_complete = complete;
  return MPI_SUCCESS;
}

MPI_Request start(Log& log) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start(query, release, cancel, &log, &request);
  CHECK(request != MPI_REQUEST_NULL);
  return request;
}

void check_status(const MPI_Status& status) {
  int count = -1, flag = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 42);
  CHECK_EQ(status.MPI_SOURCE, 5);
  CHECK_EQ(status.MPI_TAG, 6);
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 0);
}

void wait_and_test() {
  check::set_case("wait and test");
  Log log;
  MPI_Request request = start(log);
  MPI_Status status;
  int flag = -1;
  MPI_Test(&request, &flag, &status);
  CHECK_EQ(flag, 0);
  CHECK_EQ(log.frees, 0);
  MPI_Grequest_complete(request);
  CHECK_EQ(log.frees, 0);
  MPI_Wait(&request, &status);
  check_status(status);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(log.queries, 1);
  CHECK_EQ(log.frees, 1);
  CHECK_EQ(log.cancels, 0);

  Log tested;
  request = start(tested);
  MPI_Grequest_complete(request);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 1);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(tested.frees, 1);
  CHECK_EQ(tested.queries, 1);  // also if the status is ignored
}

// MPI_Request_get_status calls the query callback, never the free callback.
void get_status() {
  check::set_case("MPI_Request_get_status");
  Log log;
  MPI_Request request = start(log);
  int flag = -1;
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Grequest_complete(request);
  MPI_Status status;
  MPI_Request_get_status(request, &flag, &status);
  CHECK_EQ(flag, 1);
  check_status(status);
  CHECK_EQ(log.frees, 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(log.frees, 1);
}

// One call waits for generalized requests and messages together.
void among_messages() {
  check::set_case("among messages");
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  Log logs[2];
  int in = -1;
  MPI_Request requests[4] = {start(logs[0]), MPI_REQUEST_NULL, start(logs[1]), MPI_REQUEST_NULL};
  MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&check::rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Grequest_complete(requests[2]);
  int index = -1;
  MPI_Status statuses[4];
  std::vector<bool> seen(4, false);
  for (int i = 0; i < 3; ++i) {
    MPI_Waitany(4, requests, &index, &statuses[0]);
    CHECK(index > 0 && !seen[index]);
    seen[index] = true;
    if (index == 2) check_status(statuses[0]);
  }
  CHECK_EQ(in, left);
  CHECK_EQ(logs[0].queries, 0);
  MPI_Grequest_complete(requests[0]);
  MPI_Waitall(4, requests, statuses);
  check_status(statuses[0]);
  for (const Log& log : logs) {
    CHECK_EQ(log.queries, 1);
    CHECK_EQ(log.frees, 1);
  }
}

void cancelled() {
  check::set_case("cancel");
  Log log;
  MPI_Request request = start(log);
  MPI_Cancel(&request);
  CHECK_EQ(log.cancels, 1);
  CHECK_EQ(log.cancel_complete, 0);
  MPI_Grequest_complete(request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int flag = 0;
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 1);
  CHECK_EQ(log.frees, 1);

  Log late;
  request = start(late);
  MPI_Grequest_complete(request);
  MPI_Cancel(&request);
  CHECK_EQ(late.cancels, 1);
  CHECK(late.cancel_complete != 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Freed before or after completion: the free callback runs once, after both.
void freed() {
  check::set_case("MPI_Request_free");
  Log early;
  MPI_Request request = start(early);
  const MPI_Request handle = request;
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(early.frees, 0);
  MPI_Grequest_complete(handle);
  CHECK_EQ(early.frees, 1);

  Log late;
  request = start(late);
  MPI_Grequest_complete(request);
  CHECK_EQ(late.frees, 0);
  MPI_Request_free(&request);
  CHECK_EQ(late.frees, 1);
}

// The call returns the query's error, and the request is freed nevertheless.
void failing_query() {
  check::set_case("a query that fails");
  Log log;
  log.query_answer = MPI_ERR_OTHER;
  MPI_Request request = start(log);
  MPI_Grequest_complete(request);
  MPI_Status status;
  CHECK_EQ(check::error_class(MPI_Wait(&request, &status)), MPI_ERR_OTHER);
  CHECK_EQ(log.frees, 1);

  Log good, bad;
  bad.query_answer = MPI_ERR_OTHER;
  MPI_Request requests[2] = {start(good), start(bad)};
  for (MPI_Request one : requests) MPI_Grequest_complete(one);
  MPI_Status statuses[2];
  CHECK_EQ(check::error_class(MPI_Waitall(2, requests, statuses)), MPI_ERR_IN_STATUS);
  CHECK_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
  CHECK_EQ(check::error_class(statuses[1].MPI_ERROR), MPI_ERR_OTHER);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  for (int round = 0; round < 10; ++round) {
    wait_and_test();
    get_status();
    among_messages();
    cancelled();
    freed();
    failing_query();
  }
  return check::finish();
}
