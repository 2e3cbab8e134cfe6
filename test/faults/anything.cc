// A short job in which ranks do at random what jobs do, and which always ends: they
// compute, sleep, wait for each other in every way, use threads and timers, and now
// and then a rank stops itself for a while. mpiexec must never take it for a deadlock.
//
//   anything SEED
//
// All ranks make the same choices from the seed; where they differ, they draw
// from a second one of their own.
#include <mpi.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using std::chrono::microseconds;
using Random = std::mt19937_64;

int rank = 0;
int size = 0;
int step = 0;   // each has tags of its own: ranks are not in the same step
Random common;  // the same in all ranks
Random own;

int draw(Random& from, int below) { return static_cast<int>(from() % below); }

// Mostly short; now and then longer than mpiexec takes between two looks.
microseconds a_while() {
  return microseconds(draw(own, 40) == 0 ? draw(own, 500000) : draw(own, 3000));
}

void compute(microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// Another process stops this one, and lets it go on.
void stop(microseconds time) {
  const pid_t self = ::getpid();
  const pid_t other = ::fork();
  if (other == 0) {
    ::kill(self, SIGSTOP);
    ::usleep(static_cast<useconds_t>(time.count()));
    ::kill(self, SIGCONT);
    ::_exit(0);
  }
  while (::waitpid(other, nullptr, 0) < 0) {  // a timer may ring meanwhile
  }
}

void wait_with_limit(microseconds time) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, time, [] { return false; });
}

// What a rank does outside MPI before it goes on.
void dawdle() {
  switch (draw(own, 8)) {
    case 0: return compute(a_while());
    case 1: return std::this_thread::sleep_for(a_while());
    case 2: return wait_with_limit(a_while());
    case 3: return draw(own, 4) == 0 ? stop(a_while()) : std::this_thread::yield();
    default: return;
  }
}

void collectives() {
  std::vector<int> all(size);
  const int root = draw(common, size);
  const int kind = draw(common, 4);
  dawdle();
  if (kind == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (kind == 1) MPI_Bcast(all.data(), size, MPI_INT, root, MPI_COMM_WORLD);
  if (kind == 2) MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  if (kind == 3) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    dawdle();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// Round the ring; long messages wait for their receivers.
void ring() {
  const int bytes = draw(common, 3) == 0 ? 300000 : 100;
  std::vector<char> out(bytes), in(bytes);
  const int right = (rank + 1) % size;
  const int left = (rank + size - 1) % size;
  dawdle();
  MPI_Sendrecv(out.data(), bytes, MPI_CHAR, right, step, in.data(), bytes, MPI_CHAR, left, step,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// One rank serves the others in the order in which they come.
void served() {
  const int server = draw(common, size);
  if (rank == server) {
    for (int i = 1; i < size; ++i) {
      int question = 0;
      MPI_Status status;
      MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &status);
      dawdle();
      MPI_Ssend(&question, 1, MPI_INT, status.MPI_SOURCE, step, MPI_COMM_WORLD);
    }
  } else {
    dawdle();
    MPI_Send(&rank, 1, MPI_INT, server, step, MPI_COMM_WORLD);
    MPI_Recv(&rank, 1, MPI_INT, server, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

// All wait in MPI for a message that a thread of one of them sends later.
void thread_sends() {
  const int sender = draw(common, size);
  std::thread thread;
  if (rank == sender) {
    thread = std::thread([time = a_while()] {
      std::this_thread::sleep_for(time);
      for (int to = 0; to < size; ++to) {
        MPI_Send(nullptr, 0, MPI_INT, to, step, MPI_COMM_WORLD);
      }
    });
  }
  MPI_Recv(nullptr, 0, MPI_INT, sender, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (thread.joinable()) thread.join();
}

volatile sig_atomic_t rings = 0;

// A timer interrupts whoever sleeps.
void set_timer() {
  ::signal(SIGALRM, [](int) { rings = rings + 1; });
  const suseconds_t period = 1000 + draw(own, 20000);
  const itimerval timer{{0, period}, {0, period}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long long seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  common.seed(seed);
  own.seed(seed * 1000 + static_cast<unsigned>(rank));
  if (draw(own, 3) == 0) set_timer();
  void (*const kinds[])() = {collectives, ring, served, thread_sends};
  for (step = 4 + draw(common, 8); step > 0; --step) {
    kinds[draw(common, static_cast<int>(std::size(kinds)))]();
    dawdle();
  }
  MPI_Finalize();
  return 0;
}
