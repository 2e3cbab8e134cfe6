// Probing: reports what would be received and removes nothing; a matched probe (3.8.2) removes
// exactly one message, which no other call can then match.
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

int count_of(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  return count;
}

// Starts sends of the given sizes to the right, tags 0, 1, 2, ...; its destructor waits for them.
class Sends {
 public:
  explicit Sends(const std::vector<int>& sizes) {
    for (int bytes : sizes) {
      const int tag = int(data_.size());
      data_.emplace_back(bytes);
      check::fill(data_.back().data(), bytes, tag);
      requests_.emplace_back();
      MPI_Isend(data_.back().data(), bytes, MPI_BYTE, right(), tag, MPI_COMM_WORLD,
                &requests_.back());
    }
  }
  ~Sends() { MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

 private:
  std::vector<std::vector<char>> data_;
  std::vector<MPI_Request> requests_;
};

void check_status(const MPI_Status& status, int bytes, int tag) {
  CHECK_EQ(status.MPI_SOURCE, left());
  CHECK_EQ(status.MPI_TAG, tag);
  CHECK_EQ(count_of(status), bytes);
}

void receive(int bytes, int tag) {
  std::vector<char> data(bytes);
  MPI_Status status;
  MPI_Recv(data.data(), bytes, MPI_BYTE, left(), tag, MPI_COMM_WORLD, &status);
  check_status(status, bytes, tag);
  CHECK_PATTERN(data.data(), bytes, tag);
}

void iprobe_until(int source, int tag, MPI_Status* status) {
  for (int flag = 0; !flag;) MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, status);
}

MPI_Message improbe_until(int source, int tag, MPI_Status* status) {
  MPI_Message message = MPI_MESSAGE_NULL;
  for (int flag = 0; !flag;) {
    MPI_Improbe(source, tag, MPI_COMM_WORLD, &flag, &message, status);
    if (!flag) CHECK(message == MPI_MESSAGE_NULL);
  }
  return message;
}

bool visible(int tag) {
  int flag = -1;
  MPI_Iprobe(left(), tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

void nothing_there() {
  check::set_case("nothing to find");
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 10; ++i) {
    int flag = -1;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Improbe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Repeated probes report the same message, with wildcards or without.
void probes_take_nothing(int bytes) {
  check::set_case("repeated probes, %d bytes", bytes);
  Sends sends({bytes});
  MPI_Status status;
  for (int source : {left(), MPI_ANY_SOURCE}) {
    for (int tag : {0, MPI_ANY_TAG}) {
      MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
      check_status(status, bytes, 0);
      iprobe_until(source, tag, &status);
      check_status(status, bytes, 0);
      MPI_Probe(source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  receive(bytes, 0);
  MPI_Barrier(MPI_COMM_WORLD);  // no rank has begun the next case
  CHECK(!visible(MPI_ANY_TAG));
  MPI_Barrier(MPI_COMM_WORLD);
}

// A probe with a tag finds the message with that tag, a probe without one the oldest.
void probes_choose() {
  check::set_case("probes choose by tag");
  const std::vector<int> sizes = {10, 100000, 30, 400000, 0};
  Sends sends(sizes);
  MPI_Status status;
  for (int tag : {4, 3, 2, 1, 0}) {
    MPI_Probe(left(), tag, MPI_COMM_WORLD, &status);
    check_status(status, sizes[tag], tag);
  }
  for (int tag = 0; tag < 5; ++tag) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    check_status(status, sizes[tag], tag);
    receive(sizes[tag], tag);
  }
}

void receive_matched(MPI_Message message, int bytes, int tag, bool blocking) {
  check::Buffer data(bytes + 3);
  MPI_Status status;
  if (blocking) {
    MPI_Mrecv(data.data(), bytes + 3, MPI_BYTE, &message, &status);
  } else {
    MPI_Request request;
    MPI_Imrecv(data.data(), bytes + 3, MPI_BYTE, &message, &request);
    CHECK(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, &status);
  }
  CHECK(message == MPI_MESSAGE_NULL);
  check_status(status, bytes, tag);
  CHECK_PATTERN(data.data(), bytes, tag);
  CHECK(data.guards_intact(bytes));
}

// No other call sees a matched message; it can be received later, in any order.
void matched() {
  check::set_case("matched probes");
  const std::vector<int> sizes = {8, 300000, 0, 1000, 70000, 44};
  Sends sends(sizes);
  std::vector<MPI_Message> messages(sizes.size(), MPI_MESSAGE_NULL);
  for (int tag = 0; tag < int(sizes.size()); ++tag) {
    MPI_Status status;
    if (tag % 2) {
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[tag], &status);
    } else {
      messages[tag] = improbe_until(left(), tag, &status);
    }
    check_status(status, sizes[tag], tag);
    CHECK(messages[tag] != MPI_MESSAGE_NULL);
    CHECK(!visible(tag));
  }
  for (int tag : {3, 0, 5, 4, 1, 2}) {
    receive_matched(messages[tag], sizes[tag], tag, tag % 3 == 0);
  }
}

// Of two equal messages the matched probe takes the first, a receive then gets the second, and
// only afterwards is the first received.
void overtaken_by_receive(int bytes) {
  check::set_case("receive after matched probe, %d bytes", bytes);
  std::vector<char> out[2] = {std::vector<char>(bytes, 'a'), std::vector<char>(bytes, 'b')};
  std::vector<char> in(bytes);
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Isend(out[i].data(), bytes, MPI_BYTE, right(), 9, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Message message;
  MPI_Mprobe(left(), 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Recv(in.data(), bytes, MPI_BYTE, left(), 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == out[1]);
  MPI_Mrecv(in.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  CHECK(in == out[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// A synchronous send completes only when its message is received, not when it is probed.
void synchronous() {
  check::set_case("probing a synchronous send");
  int value = 5, in = 0, done = -1;
  MPI_Request request;
  MPI_Issend(&value, 1, MPI_INT, right(), 6, MPI_COMM_WORLD, &request);
  MPI_Probe(left(), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  CHECK_EQ(done, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Message message;
  MPI_Mprobe(left(), 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK_EQ(in, 5);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int round = 0; round < (check::size <= 8 ? 3 : 1); ++round) {
    nothing_there();
    for (int bytes : check::interesting_sizes(check::size <= 8 ? 1 << 20 : 65536)) {
      probes_take_nothing(bytes);
    }
    probes_choose();
    matched();
    for (int bytes : {1, 64, 5000, 200000}) overtaken_by_receive(bytes);
    synchronous();
  }
  return check::finish();
}
