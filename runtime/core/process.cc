#include "runtime/core/process.h"

#include <mpi.h>
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
#include <variant>

#include "runtime/core/crash.h"
#include "runtime/core/foreign_launcher.h"

namespace atl {
namespace {

bool is_off(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && (std::strcmp(value, "off") == 0 || std::strcmp(value, "0") == 0);
}

// A number, or the other one when it is not set.
std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

Leftovers leftovers_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return Leftovers::ignore;
  if (std::strcmp(value, "list") == 0) return Leftovers::list;
  return std::strcmp(value, "count") == 0 ? Leftovers::count : Leftovers::ignore;
}

void read_settings() {
  settings.single_copy = !is_off("ATOLL_CMA");
  settings.check_signatures = !is_off("ATOLL_CHECK_TYPES");
  if (std::getenv("ATOLL_EAGER_BYTES") != nullptr) {
    settings.eager_bytes = number_from("ATOLL_EAGER_BYTES", 0);
  }
  settings.piece_bytes = number_from("ATOLL_PIECE_BYTES", 0);
  settings.transfers =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(number_from("ATOLL_TRANSFERS", ~0u), ~0u));
  settings.unexpected_bytes = number_from("ATOLL_UNEXPECTED_BYTES", settings.unexpected_bytes);
  settings.leftovers = leftovers_from("ATOLL_LEFTOVERS");
  if (const char* wanted = std::getenv("ATOLL_ALGORITHMS")) settings.algorithms = wanted;
  settings.show_algorithms = std::getenv("ATOLL_SHOW_ALGORITHMS") != nullptr;
  settings.usual_algorithms = settings.algorithms.empty() && !settings.show_algorithms;
  settings.show_protocols = std::getenv("ATOLL_SHOW_PROTOCOLS") != nullptr;
}

shm::WaitPolicy policy_for(const shm::JobHeader& header) {
  const char* wanted = std::getenv("ATOLL_WAIT");
  shm::WaitPolicy policy = (header.flags & shm::kJobSharedCores) ? shm::WaitPolicy::shared_core()
                                                                 : shm::WaitPolicy::own_core();
  if (wanted == nullptr) return policy;
  if (std::strcmp(wanted, "sleep") == 0) return {.spin_ticks = 0, .yields = 0, .sleeps = true};
  if (std::strcmp(wanted, "spin") == 0) return {.spin_ticks = ~0ull, .yields = 0, .sleeps = false};
  return policy;
}

// ATOLL_RANK, or -1 when it is missing or no rank of any job.
long rank_from_environment() {
  const char* text = std::getenv(shm::kRankVariable);
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
  struct sigaction current {};
  if (::sigaction(SIGQUIT, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) {
    ::signal(SIGQUIT, SIG_IGN);
  }
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
  const char* colon = std::strchr(description, ':');
  process.launcher = colon == nullptr ? 0 : std::atoi(colon + 1);
  process.wrapped = ::getppid() != process.launcher;
  // Where Yama restricts ptrace to ancestors, siblings may still copy from
  // here: they descend from mpiexec. Elsewhere the call fails and is not needed.
  ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(process.launcher), 0, 0, 0);
  return {};
}

}  // namespace

Fault join_job() {
  const char* description = std::getenv(shm::kJobVariable);
  if (description == nullptr) {
    if (Fault fault = refuse_foreign_launcher()) return fault;
  }
  if (Fault fault = description != nullptr ? attach(description) : make_own_job()) return fault;
  read_settings();
  process.size = process.segment->size();
  process.fence = process.segment->fence_mode();
  if (process.fence == shm::FenceMode::asymmetric && !shm::register_for_membarrier()) {
    return fail(MPI_ERR_OTHER, "membarrier: %s", std::strerror(errno));
  }
  process.policy = policy_for(process.segment->header());
  if (process.segment->header().flags & shm::kJobLineBuffered) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // mpiexec's pipe ends at a terminal
  }
  process.probe_word = process.segment->header().nonce;
  shm::RankSlot& slot = process.slot();
  // Relaxed: other ranks look at the first two after this rank's first message,
  // whose publication orders them.
  slot.probe_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.probe_word));
  slot.pid.store_relaxed(::getpid());
  slot.bell_address.store_relaxed(reinterpret_cast<std::uint64_t>(&slot.doorbell));
  slot.activity_address.store_relaxed(reinterpret_cast<std::uint64_t>(&process.activity));
  if (process.launched) {
    note_crashes();
    ignore_quit();
  }
  return {};
}

}  // namespace atl
