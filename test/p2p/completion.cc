// Wait and Test, one, any, some and all: what they return, which requests they change, what the
// statuses contain, and what they do when there is nothing to wait for.
#include <algorithm>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kCount = 6;

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// kCount receives from the left, of tags 0 .. kCount-1.
struct Receives {
  int values[kCount];
  MPI_Request requests[kCount];

  Receives() {
    for (int i = 0; i < kCount; ++i) {
      values[i] = -1;
      MPI_Irecv(&values[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &requests[i]);
    }
  }

  void check_value(int i, const MPI_Status& status) const {
    int count = -1;
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_EQ(count, 1);
    CHECK_EQ(status.MPI_SOURCE, left());
    CHECK_EQ(status.MPI_TAG, i);
    CHECK_EQ(values[i], 100 * left() + i);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }
};

void send(int tag) {
  const int value = 100 * check::rank + tag;
  MPI_Send(&value, 1, MPI_INT, right(), tag, MPI_COMM_WORLD);
}

void send_all() {
  for (int tag = 0; tag < kCount; ++tag) send(tag);
}

MPI_Status unset_status() {
  MPI_Status status;
  std::memset(&status, 0x33, sizeof status);
  return status;
}

// 3.7.3: the empty status. The standard is not clear whether calls with one status set its error.
void check_empty(const MPI_Status& status) {
  CHECK_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
  CHECK_EQ(status.MPI_TAG, MPI_ANY_TAG);
  CHECK(status.MPI_ERROR == MPI_SUCCESS || status.MPI_ERROR == unset_status().MPI_ERROR);
  int value = -1;
  MPI_Get_count(&status, MPI_INT, &value);
  CHECK_EQ(value, 0);
  MPI_Test_cancelled(&status, &value);
  CHECK_EQ(value, 0);
}

void wait_and_test() {
  check::set_case("MPI_Wait and MPI_Test");
  Receives receives;
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Test(&receives.requests[0], &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  CHECK(receives.requests[0] != MPI_REQUEST_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  send_all();
  for (int i = 0; i < kCount; ++i) {
    MPI_Status status = unset_status();
    const int before = status.MPI_ERROR;
    if (i % 2) {
      MPI_Wait(&receives.requests[i], &status);
    } else {
      for (flag = 0; !flag;) MPI_Test(&receives.requests[i], &flag, &status);
    }
    receives.check_value(i, status);
    CHECK_EQ(status.MPI_ERROR, before);  // only calls with several statuses set it
  }
}

void any(bool test) {
  check::set_case("%s", test ? "MPI_Testany" : "MPI_Waitany");
  Receives receives;
  MPI_Barrier(MPI_COMM_WORLD);
  int index = 77;
  MPI_Status status;
  if (test) {
    int flag = -1;
    MPI_Testany(kCount, receives.requests, &index, &flag, &status);
    CHECK_EQ(flag, 0);
    CHECK_EQ(index, MPI_UNDEFINED);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // Only one is sent at a time, so only that one may be returned.
  for (int tag : {3, 0, 5, 1, 2, 4}) {
    send(tag);
    if (test) {
      for (int flag = 0; !flag;) {
        MPI_Testany(kCount, receives.requests, &index, &flag, &status);
      }
    } else {
      MPI_Waitany(kCount, receives.requests, &index, &status);
    }
    CHECK_EQ(index, tag);
    receives.check_value(tag, status);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void some(bool test) {
  check::set_case("%s", test ? "MPI_Testsome" : "MPI_Waitsome");
  Receives receives;
  MPI_Barrier(MPI_COMM_WORLD);
  int completed = 77;
  int indices[kCount];
  MPI_Status statuses[kCount];
  if (test) {
    MPI_Testsome(kCount, receives.requests, &completed, indices, statuses);
    CHECK_EQ(completed, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<bool> seen(kCount, false);
  for (int half : {0, 1}) {
    for (int tag = half; tag < kCount; tag += 2) send(tag);
    for (int left_over = kCount / 2; left_over > 0; left_over -= completed) {
      completed = 0;
      const auto call = test ? MPI_Testsome : MPI_Waitsome;
      call(kCount, receives.requests, &completed, indices, statuses);
      CHECK(completed >= (test ? 0 : 1) && completed <= left_over);
      for (int i = 0; i < completed; ++i) {
        CHECK_EQ(indices[i] % 2, half);
        CHECK(!seen[indices[i]]);
        seen[indices[i]] = true;
        receives.check_value(indices[i], statuses[i]);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void test_all() {
  check::set_case("MPI_Testall");
  Receives receives;
  MPI_Request before[kCount];
  std::copy_n(receives.requests, kCount, before);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int tag = 1; tag < kCount; ++tag) send(tag);
  MPI_Status statuses[kCount];
  for (int i = 0; i < 100; ++i) {
    int flag = -1;
    MPI_Testall(kCount, receives.requests, &flag, statuses);
    CHECK_EQ(flag, 0);
    // Nothing is freed as long as one message is missing.
    CHECK(std::equal(before, before + kCount, receives.requests));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  send(0);
  for (int flag = 0; !flag;) MPI_Testall(kCount, receives.requests, &flag, statuses);
  for (int i = 0; i < kCount; ++i) receives.check_value(i, statuses[i]);
}

void wait_all() {
  check::set_case("MPI_Waitall");
  Receives receives;
  send_all();
  MPI_Status statuses[kCount];
  MPI_Waitall(kCount, receives.requests, statuses);
  for (int i = 0; i < kCount; ++i) receives.check_value(i, statuses[i]);
}

void statuses_ignored() {
  check::set_case("statuses ignored");
  const auto run = [](auto complete) {
    Receives receives;
    send_all();
    complete(receives.requests);
    for (int i = 0; i < kCount; ++i) {
      CHECK_EQ(receives.values[i], 100 * left() + i);
      CHECK(receives.requests[i] == MPI_REQUEST_NULL);
    }
  };
  run([](MPI_Request* requests) { MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE); });
  run([](MPI_Request* requests) {
    for (int flag = 0; !flag;) MPI_Testall(kCount, requests, &flag, MPI_STATUSES_IGNORE);
  });
  run([](MPI_Request* requests) {
    int indices[kCount], completed = 0;
    while (completed != MPI_UNDEFINED) {
      MPI_Waitsome(kCount, requests, &completed, indices, MPI_STATUSES_IGNORE);
    }
  });
  run([](MPI_Request* requests) {
    for (int index = 0; index != MPI_UNDEFINED;) {
      MPI_Waitany(kCount, requests, &index, MPI_STATUS_IGNORE);
    }
  });
}

// Several receives from any source give each sender's messages in their order, wherever the
// requests are in the array. The standard leaves the choice to the library.
void any_in_order(bool posted_before, bool test) {
  check::set_case("%s of complete receives, %s", test ? "MPI_Testany" : "MPI_Waitany",
                  posted_before ? "posted before the messages" : "begun behind them");
  constexpr int kTag = 8, kLastTag = 9;
  int values[kCount];
  MPI_Request requests[kCount];
  const auto receive = [&] {
    for (int i = kCount - 1; i >= 0; --i) {
      MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &requests[i]);
    }
  };
  if (posted_before) receive();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kCount; ++i) MPI_Send(&i, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD);
  MPI_Send(nullptr, 0, MPI_INT, right(), kLastTag, MPI_COMM_WORLD);
  MPI_Recv(nullptr, 0, MPI_INT, left(), kLastTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!posted_before) receive();
  for (int i = 0; i < kCount; ++i) {
    int index = -1;
    int flag = 0;
    while (test && !flag) {
      MPI_Testany(kCount, requests, &index, &flag, MPI_STATUS_IGNORE);
    }
    if (!test) MPI_Waitany(kCount, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index >= 0 && index < kCount);
    if (check::on_atoll()) CHECK_EQ(values[index], i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// No request at all, null requests and inactive persistent ones: nothing to wait for.
void nothing_active(int count, MPI_Request* requests) {
  const std::vector<MPI_Request> before(requests, requests + count);
  MPI_Status status = unset_status();
  int index = 77, flag = -1, completed = 77;
  MPI_Waitany(count, requests, &index, &status);
  CHECK_EQ(index, MPI_UNDEFINED);
  check_empty(status);

  status = unset_status();
  index = 77;
  MPI_Testany(count, requests, &index, &flag, &status);
  CHECK_EQ(flag, 1);
  CHECK_EQ(index, MPI_UNDEFINED);
  check_empty(status);

  int indices[kCount];
  MPI_Status statuses[kCount];
  MPI_Waitsome(count, requests, &completed, indices, statuses);
  CHECK_EQ(completed, MPI_UNDEFINED);
  completed = 77;
  MPI_Testsome(count, requests, &completed, indices, statuses);
  CHECK_EQ(completed, MPI_UNDEFINED);

  for (MPI_Status& one : statuses) one = unset_status();
  MPI_Waitall(count, requests, statuses);
  for (int i = 0; i < count; ++i) check_empty(statuses[i]);
  for (MPI_Status& one : statuses) one = unset_status();
  flag = -1;
  MPI_Testall(count, requests, &flag, statuses);
  CHECK_EQ(flag, 1);
  for (int i = 0; i < count; ++i) check_empty(statuses[i]);

  for (int i = 0; i < count; ++i) {
    status = unset_status();
    MPI_Wait(&requests[i], &status);
    check_empty(status);
    status = unset_status();
    flag = -1;
    MPI_Test(&requests[i], &flag, &status);
    CHECK_EQ(flag, 1);
    check_empty(status);
    status = unset_status();
    flag = -1;
    MPI_Request_get_status(requests[i], &flag, &status);
    CHECK_EQ(flag, 1);
    check_empty(status);
  }
  CHECK(std::equal(before.begin(), before.end(), requests));
}

void nothing_active() {
  check::set_case("no requests");
  nothing_active(0, nullptr);
  check::set_case("null requests");
  MPI_Request requests[kCount];
  std::fill_n(requests, kCount, MPI_REQUEST_NULL);
  nothing_active(kCount, requests);
  check::set_case("null and inactive persistent requests");
  int value = 0;
  MPI_Recv_init(&value, 1, MPI_INT, left(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(&value, 1, MPI_INT, right(), 1, MPI_COMM_WORLD, &requests[4]);
  nothing_active(kCount, requests);
  MPI_Request_free(&requests[1]);
  MPI_Request_free(&requests[4]);
}

// Null and inactive requests next to an active one are skipped.
void active_among_inactive() {
  check::set_case("an active request among null and inactive ones");
  int value = -1, out = check::rank, unused = 0;
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                             MPI_REQUEST_NULL};
  MPI_Recv_init(&unused, 1, MPI_INT, left(), 7, MPI_COMM_WORLD, &requests[3]);
  const MPI_Request inactive = requests[3];
  const auto start = [&] {
    value = -1;
    MPI_Irecv(&value, 1, MPI_INT, left(), 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&out, 1, MPI_INT, right(), 6, MPI_COMM_WORLD);
  };
  const auto done = [&] {
    CHECK_EQ(value, left());
    CHECK(requests[1] == MPI_REQUEST_NULL);
    CHECK(requests[3] == inactive);
  };
  MPI_Status statuses[4];
  int index = 77, completed = 77, indices[4];
  start();
  MPI_Waitany(4, requests, &index, statuses);
  CHECK_EQ(index, 1);
  done();
  start();
  MPI_Waitsome(4, requests, &completed, indices, statuses);
  CHECK_EQ(completed, 1);
  CHECK_EQ(indices[0], 1);
  CHECK_EQ(statuses[0].MPI_TAG, 6);
  done();
  start();
  MPI_Waitall(4, requests, statuses);
  CHECK_EQ(statuses[1].MPI_TAG, 6);
  check_empty(statuses[0]);
  check_empty(statuses[3]);
  done();
  MPI_Request_free(&requests[3]);
}

// MPI_Request_get_status does not free the request, which can be completed afterwards.
void get_status() {
  check::set_case("MPI_Request_get_status");
  Receives receives;
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Request_get_status(receives.requests[0], &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  send_all();
  for (int i = 0; i < kCount; ++i) {
    const MPI_Request before = receives.requests[i];
    MPI_Status status;
    for (flag = 0; !flag;) MPI_Request_get_status(receives.requests[i], &flag, &status);
    CHECK(receives.requests[i] == before);
    CHECK_EQ(status.MPI_TAG, i);
    MPI_Request_get_status(receives.requests[i], &flag, &status);
    CHECK_EQ(flag, 1);
    MPI_Wait(&receives.requests[i], &status);
    receives.check_value(i, status);
  }
}

#if MPI_LEVEL >= 41
// 3.7.6: the same for several requests at once.
void get_status_of_several() {
  check::set_case("MPI_Request_get_status_any, _some and _all");
  Receives receives;
  MPI_Request before[kCount];
  std::copy_n(receives.requests, kCount, before);
  MPI_Barrier(MPI_COMM_WORLD);
  int index = 77, flag = -1, completed = 77, indices[kCount];
  MPI_Status statuses[kCount];
  MPI_Request_get_status_any(kCount, receives.requests, &index, &flag, statuses);
  CHECK_EQ(flag, 0);
  CHECK_EQ(index, MPI_UNDEFINED);
  MPI_Request_get_status_some(kCount, receives.requests, &completed, indices, statuses);
  CHECK_EQ(completed, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  send(4);
  for (flag = 0; !flag;) {
    MPI_Request_get_status_any(kCount, receives.requests, &index, &flag, statuses);
  }
  CHECK_EQ(index, 4);
  CHECK_EQ(statuses[0].MPI_TAG, 4);
  MPI_Request_get_status_some(kCount, receives.requests, &completed, indices, statuses);
  CHECK_EQ(completed, 1);
  CHECK_EQ(indices[0], 4);
  CHECK_EQ(statuses[0].MPI_TAG, 4);
  MPI_Request_get_status_all(kCount, receives.requests, &flag, statuses);
  CHECK_EQ(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int tag : {0, 1, 2, 3, 5}) send(tag);
  for (flag = 0; !flag;) {
    MPI_Request_get_status_all(kCount, receives.requests, &flag, statuses);
  }
  for (int i = 0; i < kCount; ++i) CHECK_EQ(statuses[i].MPI_TAG, i);
  CHECK(std::equal(before, before + kCount, receives.requests));
  MPI_Waitall(kCount, receives.requests, statuses);
  for (int i = 0; i < kCount; ++i) receives.check_value(i, statuses[i]);
}

void get_status_of_nothing() {
  check::set_case("MPI_Request_get_status_any, _some and _all of null requests");
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2] = {unset_status(), unset_status()};
  int index = 77, flag = -1, completed = 77, indices[2];
  MPI_Request_get_status_any(2, requests, &index, &flag, statuses);
  CHECK_EQ(flag, 1);
  CHECK_EQ(index, MPI_UNDEFINED);
  check_empty(statuses[0]);
  MPI_Request_get_status_some(2, requests, &completed, indices, statuses);
  CHECK_EQ(completed, MPI_UNDEFINED);
  flag = -1;
  MPI_Request_get_status_all(2, requests, &flag, statuses);
  CHECK_EQ(flag, 1);
  check_empty(statuses[1]);
}
#endif

// A request may be freed while active: the message still arrives.
void free_active_send() {
  check::set_case("MPI_Request_free of an active send");
  std::vector<char> out(300000, char(check::rank)), in(300000, -1);
  MPI_Request request;
  MPI_Isend(out.data(), int(out.size()), MPI_BYTE, right(), 1, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Recv(in.data(), int(in.size()), MPI_BYTE, left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == std::vector<char>(300000, char(left())));
  MPI_Barrier(MPI_COMM_WORLD);  // all have received, so `out` may be destroyed
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int round = 0; round < (check::size <= 8 ? 3 : 1); ++round) {
    wait_and_test();
    any(false);
    any(true);
    some(false);
    some(true);
    wait_all();
    test_all();
    statuses_ignored();
    for (const bool posted_before : {false, true}) {
      for (const bool test : {false, true}) any_in_order(posted_before, test);
    }
    nothing_active();
    active_among_inactive();
    get_status();
#if MPI_LEVEL >= 41
    get_status_of_several();
    get_status_of_nothing();
#endif
    free_active_send();
  }
  return check::finish();
}
