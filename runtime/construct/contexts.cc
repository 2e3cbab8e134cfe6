#include "runtime/construct/contexts.h"

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/core/variable.h"

namespace atl::construct {
namespace {

// Reserved ids that were not needed, known to this process alone: as many as it has ever had
// reservations at the same time.
std::vector<shm::ContextId> kept;

// The most context ids that the job may have at a time.
std::uint64_t most_contexts() {
  static const std::uint64_t most = number_from("ATOLL_CONTEXTS", ~0ull);
  return std::min<std::uint64_t>(most, shm::ContextRegistry::kContexts);
}

}  // namespace

shm::ContextId take_context(int members) {
  shm::ContextRegistry& registry = process.segment->contexts();
  const auto taken = registry.take(static_cast<std::uint32_t>(members));
  if (!taken) return kNoContext;
  if (shm::ContextRegistry::number(*taken) < most_contexts()) return *taken;
  registry.free(*taken);
  return kNoContext;
}

void release_context(shm::ContextId context) {
  if (context != kNoContext) process.segment->release_context(context);
}

Error no_context_left() {
  return make_error(MPI_ERR_OTHER, "all %llu context ids of the job are in use",
                    static_cast<unsigned long long>(most_contexts()));
}

ContextReservation::ContextReservation() {
  if (kept.empty()) {
    context_ = take_context(0);
  } else {
    context_ = kept.back();
    kept.pop_back();
  }
}

ContextReservation::~ContextReservation() {
  if (context_ != kNoContext) kept.push_back(context_);
}

void ContextReservation::assign_to(int members) {
  process.segment->contexts().share(context_, static_cast<std::uint32_t>(members));
  context_ = kNoContext;
}

void return_reservations() {
  for (const shm::ContextId context : kept) {
    process.segment->contexts().share(context, 1);
    release_context(context);
  }
  kept.clear();
}

}  // namespace atl::construct
