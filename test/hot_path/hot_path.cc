// A small message costs no system call and no allocation: from the entry of a
// send to its return while the receiver has room, and in a blocking receive
// whose message is there. Two ranks. Only Atoll is held to it: elsewhere a send of
// any length may wait for its receive, which here comes later.
//
// Whoever waits for the other must not do so inside MPI: rank 1 because the
// messages would be taken in while it waits, rank 0 because it might fall asleep
// there and would have to be woken. They wait on a page of memory that both map.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/hot_path/forbid.h"
#include "test/page.h"
#include "test/pattern.h"

namespace {

constexpr int kMessages = 32;  // in a round; far fewer than a ring takes
constexpr int kRounds = 20;    // enough to go round any ring
constexpr int kTag = 5;
// Bytes that are small for certain. A longer message may be set aside before it
// is received; its send is held to the same.
constexpr int kSmall = 40;

struct Page {
  std::atomic<int> sent;      // rounds whose messages are all sent; written by rank 0
  std::atomic<int> received;  // rounds whose messages are all received; written by rank 1
};
Page* page = nullptr;  // waited for outside MPI; pairs with the release stores in round()

// How a message is sent and received.
struct Way {
  const char* name;
  void (*send)(const unsigned char* data, int bytes);
  void (*receive)(unsigned char* data, int bytes);
  bool strict_receive;
};

void send(const unsigned char* data, int bytes) {
  MPI_Send(data, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD);
}

void receive(unsigned char* data, int bytes) {
  MPI_Recv(data, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_any(unsigned char* data, int bytes) {
  MPI_Status status;
  MPI_Recv(data, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
}

void isend_wait(const unsigned char* data, int bytes) {
  MPI_Request request;
  MPI_Isend(data, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void irecv_wait(unsigned char* data, int bytes) {
  MPI_Request request;
  MPI_Irecv(data, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

constexpr Way kWays[] = {
    {"MPI_Send, MPI_Recv", send, receive, true},
    {"MPI_Send, MPI_Recv with wildcards", send, receive_any, true},
    {"MPI_Isend, MPI_Irecv, MPI_Wait", isend_wait, irecv_wait, false},
};

// Runs `messages`, in which nothing forbidden may happen if they are `strict`.
template <class Messages>
void watch(bool strict, Messages messages) {
  if (!strict) return messages();
  forbid::begin();
  messages();
  forbid::end();
  CHECK_EQ(forbid::allocations(), 0u);
}

void round(const Way& way, int bytes, bool strict) {
  static int rounds = 0;
  ++rounds;
  std::vector<unsigned char> data(std::size_t(bytes) * kMessages + 1);
  if (check::rank == 0) {
    check::fill(data.data(), data.size(), rounds);
    watch(strict, [&] {
      for (int i = 0; i < kMessages; ++i) way.send(data.data() + i * bytes, bytes);
    });
    page->sent.store(rounds, std::memory_order_release);
    check::wait_outside_mpi(page->received, rounds);
  } else if (check::rank == 1) {
    check::wait_outside_mpi(page->sent, rounds);
    watch(strict && way.strict_receive && bytes <= kSmall, [&] {
      for (int i = 0; i < kMessages; ++i) way.receive(data.data() + i * bytes, bytes);
    });
    page->received.store(rounds, std::memory_order_release);
    CHECK_PATTERN(data.data(), std::size_t(bytes) * kMessages, rounds);
  }
}

// What is forbidden does not go unnoticed: an allocation is counted, and a
// child that makes a system call ends with status 1.
void prove_the_watch() {
  forbid::begin();
  void* volatile memory = std::malloc(1);
  std::free(memory);
  forbid::end();
  CHECK_EQ(forbid::allocations(), 2u);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    forbid::set_up(check::rank);
    forbid::begin();
    getppid();
    _exit(0);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

void all_ways() {
  page = &check::map_page<Page>();
  if (forbid::set_up(check::rank)) {
    prove_the_watch();
  } else if (check::rank == 0) {
    std::printf("skipped in part: system calls cannot be caught here\n");
  }
  for (const Way& way : kWays) {
    for (int bytes : {0, 8, kSmall, 1000}) {
      check::set_case("%s, %d bytes", way.name, bytes);
      for (int i = 0; i < kRounds; ++i) round(way, bytes, i >= 2);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK_EQ(check::size, 2);
  if (check::on_atoll()) {
    all_ways();
  } else if (check::rank == 0) {
    std::printf("skipped: this is not Atoll\n");
  }
  return check::finish();
}
