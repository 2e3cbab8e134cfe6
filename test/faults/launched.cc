// A rank that does what its argument says between MPI_Init and MPI_Finalize, for
// tests of what mpiexec makes of it.
//
//   launched               says which rank of how many it is
//   launched nothing       returns before MPI_Init
//   launched nest N MPI    rank 0 also runs itself N levels deeper, with that mpiexec
//   launched computes      until SIGUSR1 comes; the others wait for rank 0
//   launched crashes       touches what is not there
#include <mpi.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

volatile sig_atomic_t told = 0;
int rank = 0;
int size = 0;

[[gnu::noinline]] void crash(volatile int* nowhere) {
  *nowhere = 1;  // the line that is looked for
}

// False when the jobs inside fail.
bool nest(const std::string& self, int levels, const std::string& mpiexec) {
  if (levels == 0 || rank != 0) return true;
  const std::string command =
      mpiexec + " -n 2 " + self + " nest " + std::to_string(levels - 1) + " " + mpiexec;
  return std::system(command.c_str()) == 0;
}

void compute() {
  MPI_Barrier(MPI_COMM_WORLD);  // all have come so far
  if (rank == 0) {
    std::puts("ready");
    std::fflush(stdout);
    while (told == 0) {
    }
    for (int to = 1; to < size; ++to) MPI_Send(nullptr, 0, MPI_INT, to, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "nothing") return 0;
  ::signal(SIGUSR1, [](int) { told = 1; });
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  bool good = true;
  if (how.empty() || how == "nest") std::printf("%d of %d\n", rank, size);
  std::fflush(stdout);
  if (how == "nest") good = nest(argv[0], std::atoi(argv[2]), argv[3]);
  if (how == "computes") compute();
  if (how == "crashes") crash(nullptr);
  MPI_Finalize();
  return good ? 0 : 1;
}
