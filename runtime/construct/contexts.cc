#include "runtime/construct/contexts.h"

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "runtime/core/process.h"

namespace atl::construct {
namespace {

// One for each exchange that this process was in at once; of this process alone.
std::vector<shm::ContextId> kept;

}  // namespace

shm::ContextId take_context(int members) {
  shm::ContextRegistry& registry = process.segment->contexts();
  const auto taken = registry.take(static_cast<std::uint32_t>(members));
  if (!taken) return kNoContext;
  if (shm::ContextRegistry::number(*taken) < settings.contexts) return *taken;
  registry.free(*taken);
  return kNoContext;
}

void release_context(shm::ContextId context) {
  if (context != kNoContext) process.segment->release_context(context);
}

Fault no_context_left() {
  return fail(MPI_ERR_OTHER, "all %llu context ids of the job are in use",
              std::min<unsigned long long>(settings.contexts, shm::ContextRegistry::kContexts));
}

Offer::Offer() {
  if (kept.empty()) {
    context_ = take_context(0);
  } else {
    context_ = kept.back();
    kept.pop_back();
  }
}

Offer::~Offer() {
  if (context_ != kNoContext) kept.push_back(context_);
}

void Offer::give_to(int members) {
  process.segment->contexts().share(context_, static_cast<std::uint32_t>(members));
  context_ = kNoContext;
}

void return_offers() {
  for (const shm::ContextId context : kept) {
    process.segment->contexts().share(context, 1);
    release_context(context);
  }
  kept.clear();
}

}  // namespace atl::construct
