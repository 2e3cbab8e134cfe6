// Ranks that wait for each other for ever, and ranks that only seem to. The first
// argument says how.
#include <mpi.h>
#include <semaphore.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr auto kLong = std::chrono::milliseconds(1500);  // for mpiexec to look several times

int rank = 0;
int size = 0;
MPI_Comm halo;
std::vector<char> large((1 << 20) + 1);  // never eager

void receive(int source, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
}

void send(int to, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_Send(&rank, 1, MPI_INT, to, tag, comm);
}

void send_large(int to) {
  MPI_Send(large.data(), int(large.size()), MPI_CHAR, to, 10, MPI_COMM_WORLD);
}

int right() { return (rank + 1) % size; }
int left() { return (rank + size - 1) % size; }

// Rank 1 waits for what `wants` receives, rank 0 sends something like it.
void almost(const std::function<void()>& sends, const std::function<void()>& wants) {
  if (rank == 0) sends();
  if (rank == 1) wants();
  MPI_Barrier(MPI_COMM_WORLD);
}

void compute(std::chrono::milliseconds long_enough) {
  const auto end = std::chrono::steady_clock::now() + long_enough;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// All wait for rank 0, which does something else first.
void others_wait(const std::function<void()>& something) {
  if (rank == 0) something();
  MPI_Barrier(MPI_COMM_WORLD);
}

// Another thread of rank 0, while all wait for it in MPI.
void thread_of_rank_0(const std::function<void()>& body) {
  std::thread other;
  if (rank == 0) other = std::thread(body);
  receive(0, 1);
  if (rank == 0) other.join();
}

// Another thread of rank 0 rests on a semaphore that a handler posts.
sem_t rung;

void send_when_the_alarm_has_rung() {
  sem_init(&rung, 0, 0);
  std::signal(SIGALRM, [](int) { sem_post(&rung); });
  alarm(2);
  while (sem_wait(&rung) != 0) {
  }
  for (int to = 0; to < size; ++to) send(to, 1);
}

const std::map<std::string, std::function<void()>> kDeadlocks = {
    {"receives", [] { receive(right(), 7); }},
    {"sends", [] { send_large(right()); }},
    {"anybody", [] { receive(MPI_ANY_SOURCE, MPI_ANY_TAG); }},
    {"itself", [] { receive(rank, 3); }},
    {"tag", [] { almost([] { send(1, 7); }, [] { receive(0, 8); }); }},
    {"communicator", [] { almost([] { send(1, 7); }, [] { receive(0, 7, halo); }); }},
    {"source", [] { almost([] { send(1, 7); }, [] { receive(2, 7); }); }},
    {"destination", [] { almost([] { send(2, 7); }, [] { receive(0, 7); }); }},
    {"collective", [] { rank == 1 ? receive(0, 9) : void(MPI_Barrier(halo)); }},
    {"finalize", [] { rank == 1 ? void(MPI_Finalize()) : receive(1, 2); }},
    {"requests",
     [] {
       int values[3];
       MPI_Request requests[3];
       for (int i = 0; i < 3; ++i) {
         MPI_Irecv(&values[i], 1, MPI_INT, left(), i, halo, &requests[i]);
       }
       MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
     }},
    {"nonblocking",
     [] {
       MPI_Request request;
       if (rank == 1) receive(0, 9);
       MPI_Ibarrier(halo, &request);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
    {"threads",
     [] {
       std::thread other([] { receive(left(), 1); });
       receive(right(), 2);
       other.join();
     }},
    {"idle thread",
     [] {
       std::mutex mutex;
       std::condition_variable never;
       std::thread other([&] {
         std::unique_lock lock(mutex);
         never.wait(lock, [] { return false; });
       });
       receive(right(), 2);
       other.join();
     }},
};

// These end.
const std::map<std::string, std::function<void()>> kDelays = {
    {"computes", [] { others_wait([] { compute(kLong); }); }},
    {"signal", [] { thread_of_rank_0(send_when_the_alarm_has_rung); }},
    {"sleeps", [] { others_wait([] { std::this_thread::sleep_for(kLong); }); }},
    {"reads",
     [] {
       others_wait([] {
         char word = 0;
         if (::read(0, &word, 1) != 1) std::puts("nothing to read");
       });
     }},
    {"thread computes",
     [] {
       thread_of_rank_0([] {
         compute(kLong);
         for (int to = 0; to < size; ++to) send(to, 1);
       });
     }},
    {"thread sleeps",
     [] {
       thread_of_rank_0([] {
         std::this_thread::sleep_for(kLong);
         for (int to = 0; to < size; ++to) send(to, 1);
       });
     }},
    {"thread waits a while",
     [] {
       std::mutex mutex;
       std::condition_variable bell;
       thread_of_rank_0([&] {
         std::unique_lock lock(mutex);
         bell.wait_for(lock, kLong, [] { return false; });
         for (int to = 0; to < size; ++to) send(to, 1);
       });
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  MPI_Comm_set_name(halo, "halo");
  MPI_Barrier(MPI_COMM_WORLD);
  if (kDeadlocks.contains(how)) kDeadlocks.at(how)();
  if (kDelays.contains(how)) kDelays.at(how)();
  MPI_Comm_free(&halo);
  MPI_Finalize();
  return 0;
}
