// Writes at random into what mpiexec reads of the job's shared memory: what ranks say of
// themselves, of what they wait for, and of where they have crashed. A child of rank 0 does
// it, as long as the job lasts, and more when mpiexec asks.
//
//   scribble_records END WHAT SEED
//
// END: "end", the ranks end well; "deadlock"; "crash", rank 1 does; "stay", the last rank
// sleeps outside MPI and the others wait for it. WHAT: "told", what is only told to the user;
// "all", what mpiexec acts upon too, such as pids and whether a rank has finalized.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "shm/job.h"
#include "test/faults/scribbling.h"

namespace {

using atl::shm::CrashRecord;
using atl::shm::JobHeader;
using atl::shm::RankSlot;
using atl::shm::WaitReport;
using std::chrono::milliseconds;

constexpr int kRoundsLeft = 200;           // after the end of rank 0, whose records are read then
constexpr auto kLong = milliseconds(700);  // for mpiexec to look several times

int rank = 0;
int size = 0;

struct Target {
  unsigned char* begin = nullptr;
  std::size_t bytes = 0;
};

class Scribbler {
 public:
  Scribbler(bool all, unsigned seed) : random_(seed) {
    base_ = scribbling::segment().front().begin;
    const auto& header = *reinterpret_cast<const JobHeader*>(base_);
    slots_ = reinterpret_cast<RankSlot*>(base_ + header.slots_offset);
    const auto reports = reinterpret_cast<WaitReport*>(base_ + header.reports_offset);
    const auto crashes = reinterpret_cast<CrashRecord*>(base_ + header.crashes_offset);
    for (int i = 0; i < size; ++i) {
      // Those who wait cannot be seen any more where the number of writings is odd.
      constexpr std::size_t kNumber = 8;
      add(&slots_[i].waiting, sizeof slots_[i].waiting, all ? 0 : kNumber);
      add(&reports[i], sizeof reports[i], all ? 0 : kNumber);
      add(&crashes[i], sizeof crashes[i], 0);
      if (all) add(&slots_[i], sizeof slots_[i], 0);
    }
    burst_ = 1 << random_() % 16;
    pause_ = 100u << random_() % 8;
  }

  void run(pid_t parent) {
    for (int left = kRoundsLeft; left > 0;) {
      if (::getppid() != parent) --left;
      damage(1);
      // Answers are read at once.
      if (asked()) damage(burst_);
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % pause_));
    }
  }

 private:
  void add(void* begin, std::size_t bytes, std::size_t without) {
    targets_.push_back({static_cast<unsigned char*>(begin) + without, bytes - without});
  }

  void damage(int words) {
    for (int i = 0; i < words; ++i) {
      const Target& target = targets_[random_() % targets_.size()];
      scribbling::damage(target.begin + random_() % (target.bytes / 8) * 8, random_);
    }
  }

  bool asked() {
    std::uint32_t questions = 0;
    for (int i = 0; i < size; ++i) questions += slots_[i].question.load_relaxed();
    const bool more = questions != questions_;
    questions_ = questions;
    return more;
  }

  std::mt19937 random_;
  unsigned char* base_ = nullptr;
  RankSlot* slots_ = nullptr;
  std::vector<Target> targets_;
  int burst_ = 1;       // words
  unsigned pause_ = 1;  // microseconds at most
  std::uint32_t questions_ = 0;
};

void begin_to_scribble(bool all, unsigned seed) {
  const pid_t parent = ::getpid();
  if (rank != 0 || ::fork() != 0) return;
  Scribbler(all, seed).run(parent);
  ::_exit(0);
}

void wait_for(int peer) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// In a way of its own for each rank.
void wait_for_ever(unsigned seed) {
  std::vector<int> values(30);
  std::vector<MPI_Request> requests(values.size());
  switch ((static_cast<unsigned>(rank) + seed) % 4) {
    case 0: wait_for((rank + 1) % size); break;
    case 1: wait_for(MPI_ANY_SOURCE); break;
    case 2: MPI_Barrier(MPI_COMM_WORLD); break;
    default:
      for (std::size_t i = 0; i < values.size(); ++i) {
        MPI_Irecv(&values[i], 1, MPI_INT, (rank + size - 1) % size, 1000 + static_cast<int>(i),
                  MPI_COMM_WORLD, &requests[i]);
      }
      MPI_Waitall(static_cast<int>(values.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
}

void crash() {
  std::this_thread::sleep_for(kLong);
  volatile int* nowhere = nullptr;
  if (rank == 1) *nowhere = 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string end = argv[1];
  const auto seed = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // A message that no receive meets is told of as well.
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  begin_to_scribble(argv[2] == std::string("all"), seed);
  if (end == "deadlock") wait_for_ever(seed);
  if (end == "crash" && rank == 1) crash();
  if (end == "stay" && rank == size - 1) ::pause();
  if (end == "crash" || end == "stay") wait_for(end == "crash" ? 1 : size - 1);
  std::this_thread::sleep_for(kLong);
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
