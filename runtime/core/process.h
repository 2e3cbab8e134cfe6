// What this process is in its job.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/check.h"
#include "runtime/core/error.h"
#include "shm/activity.h"
#include "shm/heap.h"
#include "shm/segment.h"
#include "shm/waiting.h"

namespace atl {

// Where MPI, or a part of it, stands in this process.
enum class Phase : std::uint8_t {
  before_init,
  running,
  finalized,
  forked,  // this process is one that the rank has forked: no rank, and never one
};

// One per process. Written under the process lock where it is taken, else by the
// one thread that is in MPI.
struct Process {
  // MPI runs and no lock is to be taken: all that most calls need to know. Read
  // and written like `phase`, which it follows.
  std::atomic<bool> plain = false;
  std::atomic<Phase> phase = Phase::before_init;  // of MPI: the world model or a session runs
  std::atomic<Phase> world = Phase::before_init;  // of the world model (MPI 5.0, 11.2)
  std::uint32_t users = 0;                        // the world model and the sessions that run
  bool threaded = false;            // several threads may be in MPI: the lock is taken
  std::uint32_t callbacks = 0;      // of the program that are running
  int thread_level = 0;             // granted to the world model
  int main_thread = 0;              // kernel id of the thread that called MPI_Init
  shm::Activity activity;           // what is done at this moment
  std::uint32_t rank = 0;           // in the job
  std::uint32_t size = 1;           // of the first world
  std::uint32_t sleepers = 0;       // threads asleep on the doorbell
  bool launched = false;            // by mpiexec, or a program run on its own
  std::int32_t launcher = 0;        // pid of mpiexec here, 0 when there is none or it has none here
  bool wrapped = false;             // some program runs between mpiexec and this one
  std::uint64_t probe_word = 0;     // shm::probe_word(); other ranks try single-copy calls on it
  std::int32_t pid = 0;             // of the rank, also in what it has forked
  std::uint64_t pid_namespace = 0;  // see shm/pid_namespace.h
  shm::FenceMode fence = shm::FenceMode::symmetric;
  shm::WaitPolicy policy;
  std::optional<shm::Segment> segment;
  // The heaps of the segment as this rank sees them. Never deleted: threads may use the program's
  // memory in them until the process ends.
  shm::Heap* heap = nullptr;
  std::mutex lock;  // everything in MPI, where `threaded`

  shm::RankSlot& slot() { return segment->slot(rank); }

  void enter(Phase next) {
    // Relaxed: a program that starts MPI in another thread orders that itself.
    plain.store(next == Phase::running && !threaded, std::memory_order_relaxed);
    phase = next;
  }
};

inline Process process;

// While it lives, the program's own code may run and call MPI: the process lock
// is open.
class OutsideMpi {
 public:
  OutsideMpi() {
    ++process.callbacks;
    process.activity.call = nullptr;
    if (process.threaded) process.lock.unlock();
  }
  ~OutsideMpi() {
    if (process.threaded) process.lock.lock();
    ATL_DCHECK(process.callbacks > 0);
    --process.callbacks;
    process.activity.call = call_;  // calls from the program's code have replaced them
    process.activity.site = site_;
  }
  OutsideMpi(const OutsideMpi&) = delete;
  OutsideMpi& operator=(const OutsideMpi&) = delete;

 private:
  const char* call_ = process.activity.call;
  const void* site_ = process.activity.site;
};

// Joins the job named by the environment, or makes a job of one rank.
Error join_job();

// What calls say where Process::phase is `forked`.
inline constexpr const char kInForkedProcess[] =
    "called in a process that this rank has forked: only the rank itself may use MPI";

}  // namespace atl
