#include "launcher/diagnose/lock_causes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/base/text.h"
#include "launcher/diagnose/rank_texts.h"
#include "launcher/diagnose/wait_cycle.h"

namespace atl::launcher {
namespace {

constexpr std::size_t kMostNamed = 4;

bool waits_for_known_holder(const WaitDependency& dependency) {
  return dependency.what.kind == shm::WaitKind::lock && dependency.what.lock.holder_world >= 0;
}

bool waits_for_locks_alone(const RankState& rank) {
  const auto waits = waits_of(rank);
  return std::all_of(waits.begin(), waits.end(),
                     [](const shm::WaitInfo& wait) { return wait.kind == shm::WaitKind::lock; });
}

bool is_same_lock(const WaitDependency& a, const WaitDependency& b) {
  return a.what.context == b.what.context && a.what.peer_world == b.what.peer_world &&
         a.what.lock.holder_world == b.what.lock.holder_world;
}

// "the exclusive lock of rank 0 on window halo".
std::string lock_text(const WaitDependency& dependency) {
  const shm::PendingInfo& what = dependency.what;
  const std::string window = text_of(dependency.wait.communicator);
  return fmt::format("the {}lock of rank {}{}{}", lock_adjective(what.lock.held),
                     rank_and_job_rank(what.peer, what.peer_world), window.empty() ? "" : " on ",
                     window);
}

// The calls that the holder has not made.
const char* unlock_calls(shm::LockMode held) {
  return held == shm::LockMode::exclusive ? "MPI_Win_unlock"
                                          : "MPI_Win_unlock or MPI_Win_unlock_all";
}

// Each rank of a cycle holds the lock for which the rank before it waits.
std::string cycle_cause(std::span<const WaitDependency> locks, const std::vector<int>& cycle) {
  if (cycle.size() == 1) return fmt::format("rank {} waits for a lock that it holds", cycle[0]);
  std::vector<std::string> held;
  for (std::size_t i = 0; i < cycle.size() && held.size() < kMostNamed; ++i) {
    const int holder = cycle[(i + 1) % cycle.size()];
    const auto wait = std::find_if(locks.begin(), locks.end(), [&](const WaitDependency& one) {
      return one.rank == cycle[i] && one.what.lock.holder_world == holder;
    });
    held.push_back(fmt::format("rank {} holds {}", holder, lock_text(*wait)));
  }
  if (held.size() < cycle.size()) held.emplace_back("...");
  return fmt::format(
      "each holds a lock for which another waits ({}): all ranks have to lock the targets in the "
      "same order",
      fmt::join(held, ", "));
}

// Why `holder` does not unlock; nothing: it waits for another lock, or may continue.
std::string holder_cause(std::span<const RankState> ranks, const WaitDependency& dependency,
                         const std::vector<int>& waiting) {
  const shm::LockInfo& lock = dependency.what.lock;
  const RankState& holder = state_of(ranks, lock.holder_world);
  const std::string text = lock_text(dependency);
  if (!holder.running || leaves(holder)) {
    return fmt::format("rank {} {} without {}, and {} for {}", lock.holder_world,
                       holder.running ? "has called MPI_Finalize" : ended(holder),
                       unlock_calls(lock.held), named_as_waiting(waiting), text);
  }
  if (waits_for_locks_alone(holder)) return {};
  return fmt::format("rank {} holds {}, for which {}, and is in {}", lock.holder_world, text,
                     named_as_waiting(waiting), describe_wait(waits_of(holder).front()));
}

}  // namespace

std::vector<std::string> lock_causes(std::span<const RankState> ranks,
                                     std::span<const WaitDependency> dependencies) {
  std::vector<WaitDependency> locks;
  std::copy_if(dependencies.begin(), dependencies.end(), std::back_inserter(locks),
               waits_for_known_holder);
  std::vector<std::string> causes;
  const auto cycle = shortest_cycle(locks, ranks.size(), false);
  if (!cycle.empty()) causes.push_back(cycle_cause(locks, cycle));
  while (!locks.empty()) {
    const WaitDependency first = locks.front();
    std::vector<int> waiting;
    std::erase_if(locks, [&](const WaitDependency& one) {
      const bool same = is_same_lock(one, first);
      if (same && (waiting.empty() || waiting.back() != one.rank)) waiting.push_back(one.rank);
      return same;
    });
    if (std::string cause = holder_cause(ranks, first, waiting); !cause.empty()) {
      causes.push_back(std::move(cause));
    }
  }
  return causes;
}

}  // namespace atl::launcher
