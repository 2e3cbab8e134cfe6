// No rank is starved: a receiver with a wildcard receives from every sender that continues to
// send, MPI_Waitsome and MPI_Waitany eventually complete all their requests, and a pair makes
// progress while others are busy. The standard promises no shares, so a program that starves a
// rank hangs here and the watchdog ends it.
#include <algorithm>
#include <atomic>
#include <vector>

#include "test/check.h"
#include "test/page.h"

namespace {

constexpr int kWork = 1;
constexpr int kAnswer = 2;
constexpr int kEnough = 20;  // messages that must be received from each sender
constexpr int kWindow = 4;   // outstanding messages of a sender without a reply

// Each sender fills its window until a reply tells it to stop.
void keep_sending() {
  int unanswered = 0;
  int sent = 0;
  for (int stop = 0; !stop || unanswered > 0;) {
    while (!stop && unanswered < kWindow) {
      MPI_Send(&check::rank, 1, MPI_INT, 0, kWork, MPI_COMM_WORLD);
      ++unanswered;
      ++sent;
    }
    MPI_Recv(&stop, 1, MPI_INT, 0, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    --unanswered;
  }
  CHECK(sent >= kEnough);
}

// Counts the messages that the root receives from each sender, and replies until all have sent
// enough.
class Audience {
 public:
  Audience() : heard_(check::size, 0) { heard_[0] = kEnough; }

  void hear(int sender, int claimed) {
    CHECK_EQ(sender, claimed);
    ++heard_[sender];
    const int stop = satisfied();
    MPI_Send(&stop, 1, MPI_INT, sender, kAnswer, MPI_COMM_WORLD);
  }

  bool satisfied() const { return *std::min_element(heard_.begin(), heard_.end()) >= kEnough; }

 private:
  std::vector<int> heard_;
};

// Receives the outstanding messages of a sender that was told to stop.
void drain() {
  for (int source = 1; source < check::size; ++source) {
    int done = 0;
    while (!done) {
      int value = -1;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      CHECK_EQ(value, source);
      done = status.MPI_TAG == kAnswer;
      const int stop = 1;
      if (!done) MPI_Send(&stop, 1, MPI_INT, source, kAnswer, MPI_COMM_WORLD);
    }
  }
}

void say_done() { MPI_Send(&check::rank, 1, MPI_INT, 0, kAnswer, MPI_COMM_WORLD); }

void wildcard_receives() {
  check::set_case("wildcard receives");
  Audience audience;
  while (!audience.satisfied()) {
    int value = -1;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kWork, MPI_COMM_WORLD, &status);
    audience.hear(status.MPI_SOURCE, value);
  }
}

void wildcard_probes() {
  check::set_case("wildcard probes");
  Audience audience;
  while (!audience.satisfied()) {
    int value = -1;
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, kWork, MPI_COMM_WORLD, &status);
    audience.hear(status.MPI_SOURCE, value);
  }
}

// One receive for each sender, posted again as soon as it completes.
void posted_receives(bool some) {
  check::set_case("posted receives, %s", some ? "MPI_Waitsome" : "MPI_Waitany");
  Audience audience;
  std::vector<int> values(check::size, -1);
  std::vector<int> done(check::size);
  std::vector<MPI_Request> requests(check::size, MPI_REQUEST_NULL);
  const auto post = [&](int source) {
    MPI_Irecv(&values[source], 1, MPI_INT, source, kWork, MPI_COMM_WORLD, &requests[source]);
  };
  for (int source = 1; source < check::size; ++source) post(source);
  while (!audience.satisfied()) {
    int count = 1;
    if (some) {
      MPI_Waitsome(check::size, requests.data(), &count, done.data(), MPI_STATUSES_IGNORE);
    } else {
      MPI_Waitany(check::size, requests.data(), &done[0], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; ++i) {
      const int source = done[i];
      const int value = values[source];
      post(source);
      audience.hear(source, value);
    }
  }
  // Each receive that is still posted gets one more message, or the sender's last one.
  for (int source = 1; source < check::size; ++source) {
    MPI_Cancel(&requests[source]);
    MPI_Status status;
    MPI_Wait(&requests[source], &status);
    int cancelled = 0;
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) audience.hear(source, values[source]);
  }
}

struct Page {
  std::atomic<int> ready;  // senders that have started all their messages
};

// All messages of all senders have been sent before the first receive, for which the root waits
// outside MPI. Then messages of each sender are received again before many of the others: a poll
// receives few messages of each sender, whichever way they reach the receives.
void waiting_messages() {
  check::set_case("messages that wait");
  constexpr int kWaiting = 90;  // of each sender
  constexpr int kOthers = 48;   // messages of each sender between two of the same
  static Page& page = check::map_page<Page>();
  const int senders = check::size - 1;
  if (check::rank != 0) {
    for (int i = 0; i < kWaiting; ++i) MPI_Send(&i, 1, MPI_INT, 0, kWork, MPI_COMM_WORLD);
    page.ready.fetch_add(1, std::memory_order_release);  // pairs with wait_outside_mpi()
  } else {
    check::wait_outside_mpi(page.ready, senders);
    std::vector<int> heard(check::size, 0), last(check::size, 0);
    for (int i = 0; i < senders * kWaiting; ++i) {
      int value = -1;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kWork, MPI_COMM_WORLD, &status);
      CHECK_EQ(value, heard[status.MPI_SOURCE]++);
      CHECK(i - last[status.MPI_SOURCE] <= kOthers * senders);
      last[status.MPI_SOURCE] = i;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

template <class Root>
void scene(Root root) {
  if (check::rank == 0) {
    root();
    drain();
  } else {
    keep_sending();
    say_done();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  scene(wildcard_receives);
  scene(wildcard_probes);
  scene([] { posted_receives(true); });
  scene([] { posted_receives(false); });
  if (check::on_atoll()) waiting_messages();  // a send elsewhere may wait for its receive
  return check::finish();
}
