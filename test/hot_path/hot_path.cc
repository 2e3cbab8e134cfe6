// A small message costs no system call and no allocation: from the entry of a
// send to its return while the receiver has room, and in a receive whose
// message is there. Two ranks. Only Atoll is held to it: elsewhere a send of
// any length may wait for its receive, which here comes later.
//
// Rank 1 must not touch MPI while it waits for the messages to be there, so
// rank 0 tells it through a page of memory that both map.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/hot_path/forbid.h"
#include "test/pattern.h"

namespace {

constexpr int kMessages = 32;  // in a round; far fewer than a ring takes
constexpr int kRounds = 20;    // enough to go round any ring
constexpr int kTag = 5;

// Rounds whose messages are all sent; written by rank 0.
std::atomic<int>* sent_rounds = nullptr;

// Maps rank 0's page, of which rank 0 tells process and descriptor.
void map_page() {
  int where[2] = {int(getpid()), -1};
  if (check::rank == 0) {
    where[1] = memfd_create("hot_path", 0);
    CHECK(ftruncate(where[1], sizeof *sent_rounds) == 0);
  }
  MPI_Bcast(where, 2, MPI_INT, 0, MPI_COMM_WORLD);
  const std::string path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
  const int descriptor = check::rank == 0 ? where[1] : open(path.c_str(), O_RDWR);
  void* page =
      mmap(nullptr, sizeof *sent_rounds, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  CHECK(page != MAP_FAILED);
  sent_rounds = static_cast<std::atomic<int>*>(page);
}

// How a message is sent and received.
struct Way {
  const char* name;
  void (*send)(const unsigned char* data, int bytes);
  void (*receive)(unsigned char* data, int bytes);
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
    {"MPI_Send, MPI_Recv", send, receive},
    {"MPI_Send, MPI_Recv with wildcards", send, receive_any},
    {"MPI_Isend, MPI_Irecv, MPI_Wait", isend_wait, irecv_wait},
};

// Runs `messages` under watch, unless it only warms up.
template <class Messages>
void watch(bool warm_up, Messages messages) {
  if (warm_up) return messages();
  forbid::begin();
  messages();
  forbid::end();
  CHECK_EQ(forbid::allocations(), 0u);
}

void round(const Way& way, int bytes, bool warm_up) {
  static int rounds = 0;
  ++rounds;
  std::vector<unsigned char> data(std::size_t(bytes) * kMessages + 1);
  if (check::rank == 0) {
    check::fill(data.data(), data.size(), rounds);
    watch(warm_up, [&] {
      for (int i = 0; i < kMessages; ++i) way.send(data.data() + i * bytes, bytes);
    });
    sent_rounds->store(rounds, std::memory_order_release);
  } else if (check::rank == 1) {
    // Pairs with the store above, though all that matters is that it came.
    while (sent_rounds->load(std::memory_order_acquire) < rounds) usleep(50);
    watch(warm_up, [&] {
      for (int i = 0; i < kMessages; ++i) way.receive(data.data() + i * bytes, bytes);
    });
    CHECK_PATTERN(data.data(), std::size_t(bytes) * kMessages, rounds);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // rank 1's room is there again
}

void all_ways() {
  map_page();
  if (!forbid::set_up(check::rank) && check::rank == 0) {
    std::printf("skipped in part: this kernel cannot catch system calls, only allocations count\n");
  }
  for (const Way& way : kWays) {
    for (int bytes : {0, 8, 1000}) {
      check::set_case("%s, %d bytes", way.name, bytes);
      for (int i = 0; i < kRounds; ++i) round(way, bytes, i < 2);
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
