#include "runtime/comm/communicator.h"

#include <numeric>

#include "runtime/core/process.h"

namespace atl {
namespace {

// See shm::kStandingContexts.
constexpr shm::ContextId kWorldContext = 0;
constexpr shm::ContextId kSelfContext = 1;

}  // namespace

std::string Communicator::label() const {
  if (!name_.empty()) return name_;
  return "communicator " + std::to_string(context_ & (shm::ContextRegistry::kContexts - 1));
}

void Communicators::make_predefined(std::uint32_t world_size, std::uint32_t world_rank) {
  auto everybody = std::make_shared<Members>();
  everybody->world.resize(world_size);
  std::iota(everybody->world.begin(), everybody->world.end(), 0u);
  world_ = std::make_unique<Communicator>("MPI_COMM_WORLD", std::move(everybody),
                                          static_cast<int>(world_rank), kWorldContext);
  world_->predefined = reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD);
  auto alone = std::make_shared<Members>();
  alone->world.push_back(world_rank);
  // One number serves every rank's own MPI_COMM_SELF: nobody else sends there.
  self_ = std::make_unique<Communicator>("MPI_COMM_SELF", std::move(alone), 0, kSelfContext);
  self_->predefined = reinterpret_cast<std::uintptr_t>(MPI_COMM_SELF);
}

void end(Communicator& communicator) {
  if (communicator.predefined != 0) return;
  const shm::ContextId context = communicator.context();
  forget_context(context);
  communicators.destroy(communicator);
  process.segment->contexts().release(context);
}

}  // namespace atl
