// Libraries that do not know of each other: each thread has sessions of its own,
// begins and ends them when it likes, and works at the same time as the others.
#include <string>
#include <thread>
#include <vector>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 40

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 8;
constexpr const char* kLevels[] = {"MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                   "MPI_THREAD_MULTIPLE"};

// A library in a thread of each process.
void library(int number) {
  for (int round = 0; round < kRounds; ++round) {
    MPI_Session session = sessions::open(kLevels[(number + round) % 3]);
    const std::string tag = "org.example.library" + std::to_string(number);
    MPI_Comm comm = sessions::comm(session, "mpi://WORLD", tag);
    for (int i = 0; i < 3; ++i) sessions::check_works(comm, 100 * number + i);
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    sessions::check_works(copy, 100 * number + 7);
    MPI_Comm_disconnect(&copy);
    MPI_Comm_disconnect(&comm);
    sessions::close(session);
  }
}

void run_libraries() {
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(library, number);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  check::set_case("before MPI_Init");
  run_libraries();

  check::set_case("during MPI_Init and MPI_Finalize");
  MPI_Session kept = sessions::open();
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(library, number);
  int provided = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  check::set_rank_and_size();
  for (int i = 0; i < 50; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (std::thread& thread : threads) thread.join();
  const long long sum = check::total(MPI_COMM_WORLD);
  MPI_Finalize();
  sessions::close(kept);
  if (check::rank == 0) std::printf("ok %lld checks\n", sum);
  return 0;
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
