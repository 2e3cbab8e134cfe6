#include "runtime/core/process.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <variant>

#include "runtime/core/crash.h"
#include "runtime/core/foreign_launcher.h"
#include "shm/pid_namespace.h"

namespace atl {
namespace {

shm::WaitPolicy policy_for(const shm::JobHeader& header) {
  const char* wanted = ::secure_getenv("ATOLL_WAIT");
  shm::WaitPolicy policy = (header.flags & shm::kJobSharedCores) ? shm::WaitPolicy::shared_core()
                                                                 : shm::WaitPolicy::own_core();
  if (wanted == nullptr) return policy;
  if (std::strcmp(wanted, "sleep") == 0) return {.spin_ticks = 0, .yields = 0, .sleeps = true};
  if (std::strcmp(wanted, "spin") == 0) return {.spin_ticks = ~0ull, .yields = 0, .sleeps = false};
  return policy;
}

// ATOLL_RANK, or -1 when it is not set or not a valid rank of any job.
long rank_from_environment() {
  const char* text = ::secure_getenv(shm::kRankVariable);
  char* end = nullptr;
  const long rank = text == nullptr ? -1 : std::strtol(text, &end, 10);
  return text == nullptr || *end != '\0' || rank < 0 || rank > INT_MAX ? -1 : rank;
}

std::uint32_t allowed_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<std::uint32_t>(CPU_COUNT(&allowed));
}

// Ctrl-\ asks mpiexec what the ranks do. The ranks receive SIGQUIT too, and ignore it.
void ignore_quit() {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  replace_default(SIGQUIT, ignored);
}

Error make_own_job() {
  auto result = shm::Segment::create({.size = 1, .cpus = allowed_cpus()});
  if (auto* why = std::get_if<std::string>(&result)) {
    return make_error(MPI_ERR_OTHER, "cannot make the job's shared memory: %s", why->c_str());
  }
  process.segment = std::move(std::get<shm::Segment>(result));
  process.rank = 0;
  return {};
}

Error attach(const char* description) {
  auto result = shm::Segment::attach(description);
  const long rank = rank_from_environment();
  if (auto* why = std::get_if<std::string>(&result)) {
    if (rank >= 0) process.rank = static_cast<std::uint32_t>(rank);  // the error names it
    return make_error(MPI_ERR_OTHER, "cannot join the job of mpiexec: %s", why->c_str());
  }
  process.segment = std::move(std::get<shm::Segment>(result));
  if (rank < 0 || rank >= static_cast<long>(process.segment->size())) {
    return make_error(MPI_ERR_OTHER, "%s is not a rank of this job of %u", shm::kRankVariable,
                      process.segment->size());
  }
  process.rank = static_cast<std::uint32_t>(rank);
  auto launched = static_cast<std::uint32_t>(shm::Life::launched);
  // Acq_rel: the first process of the rank that gets here is the rank. Pairs with the same
  // exchange in the rank's other processes, and with read_state() in the launcher.
  if (!process.slot().life.compare_exchange_acq_rel(
          launched, static_cast<std::uint32_t>(shm::Life::initialized))) {
    return make_own_job();  // a rank started this program on its own: it is a job of its own
  }
  process.launched = true;
  const shm::JobHeader& header = process.segment->header();
  process.launcher = header.launcher_pids == process.pid_namespace ? header.launcher : 0;
  process.wrapped = process.launcher == 0 || ::getppid() != process.launcher;
  // Where Yama restricts ptrace to ancestors, siblings may still copy from this process, since
  // they descend from mpiexec. Elsewhere the call fails and is not needed.
  ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(process.launcher), 0, 0, 0);
  return {};
}

// If membarrier works in mpiexec but is refused to this process, this process fences for itself.
void join_fences() {
  process.fence = process.segment->fence_mode();
  Shared<std::uint32_t>& asymmetric = process.segment->state().asymmetric_ranks;
  process.policy.asymmetric = &asymmetric;
  if (process.fence != shm::FenceMode::asymmetric) return;
  if (!shm::register_for_membarrier()) {
    process.fence = shm::FenceMode::alone;
    return;
  }
  asymmetric.fetch_add_relaxed(1);  // relaxed: ordered by the fence below
  full_fence();                     // pairs with sleeper_fence(), see WaitPolicy::sleep_ns()
}

// A program with more rights than the user who started it (set-user-ID, capabilities) does not
// trust the environment, which may name another user's descriptor and path.
Error refuse_untrusted_job() {
  if (std::getenv(shm::kJobVariable) == nullptr || ::secure_getenv(shm::kJobVariable) != nullptr) {
    return {};
  }
  return make_error(
      MPI_ERR_OTHER,
      "cannot join the job of mpiexec: this program has more rights than the user who "
      "started it (set-user-ID or capabilities), and cannot trust %s",
      shm::kJobVariable);
}

// In the child of a fork, which inherits all of the rank's state. Its exit handlers must not end
// MPI for the rank, nor its errors the job.
void leave_job() {
  new (&process.lock) std::mutex;  // another thread of the rank may have held it
  process.threaded = false;
  if (process.world == Phase::running) process.world = Phase::finalized;
  if (process.phase == Phase::running) process.enter(Phase::forked);
}

}  // namespace

Error join_job() {
  if (Error error = refuse_untrusted_job()) return error;
  const char* description = ::secure_getenv(shm::kJobVariable);
  if (description == nullptr) {
    if (Error error = refuse_foreign_launcher()) return error;
  }
  process.pid_namespace = shm::pid_namespace("/proc/self");
  if (Error error = description != nullptr ? attach(description) : make_own_job()) return error;
  process.size = process.segment->size();
  process.heap = new shm::Heap(*process.segment, process.rank);
  process.policy = policy_for(process.segment->header());
  join_fences();
  if (process.segment->header().flags & shm::kJobLineBuffered) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // mpiexec's pipe ends at a terminal
  }
  process.pid = ::getpid();
  ::pthread_atfork(nullptr, nullptr, leave_job);
  process.probe_word = shm::probe_word(process.segment->header().nonce, process.rank);
  shm::RankSlot& slot = process.slot();
  // Relaxed: other ranks read these after this rank's first message, whose publication orders them.
  slot.probe_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.probe_word));
  slot.pid_namespace.store_relaxed(process.pid_namespace);
  // Pairs with rank_process() in the launcher: the namespace before the number counted in it.
  slot.pid.store_release(process.pid);
  // Relaxed: the launcher may read 0, which means not known yet (read_activity()). bell_address is
  // stored before the rank first announces a sleep, until which the launcher does not need it.
  slot.bell_address.store_relaxed(reinterpret_cast<std::uint64_t>(&slot.doorbell));
  slot.activity_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.activity));
  if (process.launched) {
    note_crashes();
    ignore_quit();
  }
  return {};
}

}  // namespace atl
