// Ranks that wait for each other in one-sided communication for ever, or for a rank that is killed
// while it holds a lock or is inside an accumulate. The first word says which.
#include <mpi.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kDoubles = 4096;  // long enough for a bulk accumulate

int rank = 0;
int size = 0;
MPI_Win halo;

void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

void lock(int target) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, halo); }

// Each rank holds its own lock and wants that of the next rank.
void cycle() {
  lock(rank);
  barrier();
  lock((rank + 1) % size);
}

// Rank 0 holds a lock while it waits for a message of those that want the lock.
void kept() {
  if (rank == 0) lock(1);
  barrier();
  int value = 0;
  if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  lock(1);
}

// Every rank begins its access epoch before it exposes its own memory.
void starts() {
  MPI_Group all;
  MPI_Win_get_group(halo, &all);
  MPI_Win_start(all, 0, halo);
  MPI_Win_post(all, 0, halo);
}

void die(int) { kill(getpid(), SIGKILL); }

// Locks, accumulates and counts, until a call fails because a rank has died, or all is done.
void survive(const char* microseconds) {
  constexpr int kCycles = 20000;
  if (rank == 0) {
    signal(SIGALRM, die);
    itimerval when{{0, 0}, {0, 1 + std::atoi(microseconds)}};
    setitimer(ITIMER_REAL, &when, nullptr);
  }
  std::vector<double> ones(kDoubles, 1.0);
  MPI_Win_set_errhandler(halo, MPI_ERRORS_RETURN);
  const int target = size - 1;
  for (int i = 0; i < kCycles; ++i) {
    const int type = i % 3 == 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    if (MPI_Win_lock(type, target, 0, halo) != MPI_SUCCESS) break;
    const int count = i % 5 == 0 ? kDoubles : 1;
    const int code =
        MPI_Accumulate(ones.data(), count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, MPI_SUM, halo);
    if (MPI_Win_unlock(target, halo) != MPI_SUCCESS || code != MPI_SUCCESS) break;
  }
  if (rank != 0) std::printf("rank %d goes on\n", rank);
  std::fflush(stdout);
  if (rank == 0) pause();  // until the signal comes
  _exit(0);                // MPI_Finalize would wait for rank 0
}

const std::map<std::string, std::function<void(const char*)>> kWaits = {
    {"cycle", [](const char*) { cycle(); }},
    {"kept", [](const char*) { kept(); }},
    {"starts", [](const char*) { starts(); }},
    {"killed", survive},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double* memory = nullptr;
  MPI_Win_allocate(kDoubles * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &memory, &halo);
  MPI_Win_set_name(halo, "halo");
  barrier();
  kWaits.at(argc > 1 ? argv[1] : "cycle")(argc > 2 ? argv[2] : "1000");
  MPI_Finalize();
}
