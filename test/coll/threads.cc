// Collectives of several threads at once, each on communicators of its own.
#include <thread>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kThreads = 3;

int rounds() { return check::size <= 4 ? 60 : check::size <= 8 ? 20 : 4; }

// The sum over ranks of a value that differs in thread, round, rank and place.
int value(int thread, int round, int rank, int i) {
  return (thread * 31 + round * 7 + rank * 3 + i) % 1000;
}

void reduce(MPI_Comm comm, int thread, int round, int count) {
  std::vector<int> mine(count), sums(count);
  for (int i = 0; i < count; ++i) mine[i] = value(thread, round, check::rank, i);
  if (round % 2 == 0) {
    MPI_Allreduce(mine.data(), sums.data(), count, MPI_INT, MPI_SUM, comm);
  } else {
    MPI_Request request;
    MPI_Iallreduce(mine.data(), sums.data(), count, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    int expected = 0;
    for (int rank = 0; rank < check::size; ++rank) expected += value(thread, round, rank, i);
    wrong += sums[i] != expected;
  }
  CHECK_EQ(wrong, 0);
}

void bcast(MPI_Comm comm, int thread, int round, int count) {
  const int root = round % check::size;
  std::vector<int> data(count, -1);
  for (int i = 0; check::rank == root && i < count; ++i) data[i] = value(thread, round, root, i);
  MPI_Bcast(data.data(), count, MPI_INT, root, comm);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += data[i] != value(thread, round, root, i);
  CHECK_EQ(wrong, 0);
}

void work(MPI_Comm comm, int thread) {
  constexpr int kCounts[] = {0, 1, 100, 5000, 70000};
  for (int round = 0; round < rounds(); ++round) {
    const int count = kCounts[(round + thread) % (check::size <= 8 ? 5 : 4)];
    reduce(comm, thread, round, count);
    bcast(comm, thread, round, count);
    if (round % 8 == thread) {
      MPI_Comm half;
      MPI_Comm_split(comm, check::rank % 2, 0, &half);
      MPI_Barrier(half);
      MPI_Comm_free(&half);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  check::set_rank_and_size();
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  check::set_case("each thread with a communicator of its own");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, comms[i], i);
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return check::finish();
}
