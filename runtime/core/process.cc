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

bool is_off(const char* variable) {
  const char* value = ::secure_getenv(variable);
  return value != nullptr && (std::strcmp(value, "off") == 0 || std::strcmp(value, "0") == 0);
}

// A number, or the other one when it is not set.
std::uint64_t number_from(const char* variable, std::uint64_t otherwise = 0) {
  const char* value = ::secure_getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

Leftovers leftovers_from(const char* variable) {
  const char* value = ::secure_getenv(variable);
  if (value == nullptr) return Leftovers::ignore;
  if (std::strcmp(value, "list") == 0) return Leftovers::list;
  return std::strcmp(value, "count") == 0 ? Leftovers::count : Leftovers::ignore;
}

void read_settings() {
  settings.single_copy = !is_off("ATOLL_CMA");
  settings.check_signatures = !is_off("ATOLL_CHECK_TYPES");
  settings.collective_bytes = number_from("ATOLL_COLLECTIVE_BYTES", ~0ull);
  settings.contexts = number_from("ATOLL_CONTEXTS", ~0ull);
  if (const char* wanted = ::secure_getenv("ATOLL_EAGER_BYTES")) {
    settings.eager_bytes = std::strtoull(wanted, nullptr, 10);
  }
  settings.piece_bytes = number_from("ATOLL_PIECE_BYTES");
  settings.transfers =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(number_from("ATOLL_TRANSFERS", ~0u), ~0u));
  settings.unexpected_bytes = number_from("ATOLL_UNEXPECTED_BYTES", settings.unexpected_bytes);
  settings.leftovers = leftovers_from("ATOLL_LEFTOVERS");
  if (const char* wanted = ::secure_getenv("ATOLL_ALGORITHMS")) settings.algorithms = wanted;
  settings.show_algorithms = ::secure_getenv("ATOLL_SHOW_ALGORITHMS") != nullptr;
  settings.usual_algorithms = settings.algorithms.empty() && !settings.show_algorithms;
  settings.show_protocols = ::secure_getenv("ATOLL_SHOW_PROTOCOLS") != nullptr;
}

shm::WaitPolicy policy_for(const shm::JobHeader& header) {
  const char* wanted = ::secure_getenv("ATOLL_WAIT");
  shm::WaitPolicy policy = (header.flags & shm::kJobSharedCores) ? shm::WaitPolicy::shared_core()
                                                                 : shm::WaitPolicy::own_core();
  if (wanted == nullptr) return policy;
  if (std::strcmp(wanted, "sleep") == 0) return {.spin_ticks = 0, .yields = 0, .sleeps = true};
  if (std::strcmp(wanted, "spin") == 0) return {.spin_ticks = ~0ull, .yields = 0, .sleeps = false};
  return policy;
}

// ATOLL_RANK, or -1 when it is missing or no rank of any job.
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

// Ctrl-\ asks mpiexec what the ranks do. It reaches them too, and they go on.
void ignore_quit() {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  replace_default(SIGQUIT, ignored);
}

Fault make_own_job() {
  auto result = shm::Segment::create({.size = 1, .cpus = allowed_cpus()});
  if (auto* why = std::get_if<std::string>(&result)) {
    return fail(MPI_ERR_OTHER, "cannot make the job's shared memory: %s", why->c_str());
  }
  process.segment = std::move(std::get<shm::Segment>(result));
  process.rank = 0;
  return {};
}

Fault attach(const char* description) {
  auto result = shm::Segment::attach(description);
  const long rank = rank_from_environment();
  if (auto* why = std::get_if<std::string>(&result)) {
    if (rank >= 0) process.rank = static_cast<std::uint32_t>(rank);  // the error names it
    return fail(MPI_ERR_OTHER, "cannot join the job of mpiexec: %s", why->c_str());
  }
  process.segment = std::move(std::get<shm::Segment>(result));
  if (rank < 0 || rank >= static_cast<long>(process.segment->size())) {
    return fail(MPI_ERR_OTHER, "%s is not a rank of this job of %u", shm::kRankVariable,
                process.segment->size());
  }
  process.rank = static_cast<std::uint32_t>(rank);
  auto launched = static_cast<std::uint32_t>(shm::Life::launched);
  // Acq_rel: the first process of the rank that gets here is the rank.
  if (!process.slot().life.compare_exchange_acq_rel(
          launched, static_cast<std::uint32_t>(shm::Life::initialized))) {
    return make_own_job();  // a rank started this program on its own: it is a job of its own
  }
  process.launched = true;
  const shm::JobHeader& header = process.segment->header();
  process.launcher = header.launcher_pids == process.pid_namespace ? header.launcher : 0;
  process.wrapped = process.launcher == 0 || ::getppid() != process.launcher;
  // Where Yama restricts ptrace to ancestors, siblings may still copy from
  // here: they descend from mpiexec. Elsewhere the call fails and is not needed.
  ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(process.launcher), 0, 0, 0);
  return {};
}

// Where membarrier works in mpiexec but is refused here this process fences for itself.
void join_fences() {
  process.fence = process.segment->fence_mode();
  Shared<std::uint32_t>& asymmetric = process.segment->state().asymmetric_ranks;
  process.policy.asymmetric = &asymmetric;
  if (process.fence != shm::FenceMode::asymmetric) return;
  if (!shm::register_for_membarrier()) {
    process.fence = shm::FenceMode::alone;
    return;
  }
  asymmetric.fetch_add_relaxed(1);  // ordered by the fence
  full_fence();                     // pairs with sleeper_fence(), see WaitPolicy::sleep_ns()
}

// A program with more rights than whoever started it (set-user-ID, capabilities) does not
// trust the environment: a descriptor and a path of somebody else's.
Fault refuse_untrusted_job() {
  if (std::getenv(shm::kJobVariable) == nullptr || ::secure_getenv(shm::kJobVariable) != nullptr) {
    return {};
  }
  return fail(MPI_ERR_OTHER,
              "cannot join the job of mpiexec: this program has more rights than the user who "
              "started it (set-user-ID or capabilities), and cannot trust %s",
              shm::kJobVariable);
}

// In the child of a fork, which has all that the rank has. Its exit handlers must
// not end MPI for the rank, nor its errors the job.
void leave_job() {
  new (&process.lock) std::mutex;  // another thread of the rank may have held it
  process.threaded = false;
  if (process.world == Phase::running) process.world = Phase::finalized;
  if (process.phase == Phase::running) process.enter(Phase::forked);
}

}  // namespace

Fault join_job() {
  if (Fault fault = refuse_untrusted_job()) return fault;
  const char* description = ::secure_getenv(shm::kJobVariable);
  if (description == nullptr) {
    if (Fault fault = refuse_foreign_launcher()) return fault;
  }
  process.pid_namespace = shm::pid_namespace("/proc/self");
  if (Fault fault = description != nullptr ? attach(description) : make_own_job()) return fault;
  read_settings();
  process.size = process.segment->size();
  process.policy = policy_for(process.segment->header());
  join_fences();
  if (process.segment->header().flags & shm::kJobLineBuffered) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // mpiexec's pipe ends at a terminal
  }
  process.pid = ::getpid();
  ::pthread_atfork(nullptr, nullptr, leave_job);
  process.probe_word = shm::probe_word(process.segment->header().nonce, process.rank);
  shm::RankSlot& slot = process.slot();
  // Relaxed: other ranks look at these after this rank's first message, whose
  // publication orders them.
  slot.probe_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.probe_word));
  slot.pid_namespace.store_relaxed(process.pid_namespace);
  // Pairs with the launcher's acquire: the namespace before the number counted in it.
  slot.pid.store_release(process.pid);
  slot.bell_address.store_relaxed(reinterpret_cast<std::uint64_t>(&slot.doorbell));
  slot.activity_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.activity));
  if (process.launched) {
    note_crashes();
    ignore_quit();
  }
  return {};
}

}  // namespace atl
