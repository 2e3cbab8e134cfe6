#include "runtime/fortran/pending.h"

#include <mutex>
#include <unordered_map>

namespace atl::fortran {

std::atomic<int> kept{0};

namespace {

std::mutex mutex;  // guards `table`
std::unordered_multimap<MPI_Fint, std::unique_ptr<Pending>> table;

}  // namespace

void keep(MPI_Fint request, std::unique_ptr<Pending> pending) {
  const std::lock_guard guard(mutex);
  table.emplace(request, std::move(pending));
  kept.fetch_add(1, std::memory_order_relaxed);  // Relaxed: see `kept`
}

void run_before_start(MPI_Fint request) {
  const std::lock_guard guard(mutex);
  const auto [first, last] = table.equal_range(request);
  for (auto entry = first; entry != last; ++entry) entry->second->before_start();
}

void run_after_call(MPI_Fint request, bool ended) {
  const std::lock_guard guard(mutex);
  const auto [first, last] = table.equal_range(request);
  for (auto entry = first; entry != last; ++entry) entry->second->after_call();
  if (!ended) return;
  const auto gone = static_cast<int>(std::distance(first, last));
  kept.fetch_sub(gone, std::memory_order_relaxed);  // Relaxed: see `kept`
  table.erase(first, last);
}

}  // namespace atl::fortran
