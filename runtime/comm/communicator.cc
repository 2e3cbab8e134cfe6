#include "runtime/comm/communicator.h"

#include "runtime/core/process.h"

namespace atl {
namespace {

// See shm::kStandingContexts.
constexpr shm::ContextId kWorldContext = 0;
constexpr shm::ContextId kSelfContext = 1;
constexpr shm::ContextId kEverybodyContext = 2;

}  // namespace

std::string Communicator::label() const {
  if (!name_.empty()) return name_;
  return "communicator " + std::to_string(shm::ContextRegistry::number(context_));
}

std::string Communicator::described() const {
  return (is_inter() ? "inter-" : "") + (name_.empty() ? label() : "communicator " + name_);
}

void Communicator::apply_hints(const Info& info) {
  if (info.pairs().empty()) return;
  if (hints_ == nullptr) hints_ = std::make_unique<Hints>(communicator_hints());
  hints_->apply(info);
}

const Info& Communicator::hints() const {
  static const Hints initial(communicator_hints());
  return (hints_ == nullptr ? initial : *hints_).in_use();
}

void Communicators::make_predefined(std::uint32_t world_size, std::uint32_t world_rank) {
  const auto make = [](const char* name, RankMap members, std::uint32_t rank,
                       shm::ContextId context, MPI_Comm handle) {
    auto made = std::make_unique<Communicator>(std::move(members), static_cast<int>(rank), context);
    made->set_name(name);
    made->predefined = reinterpret_cast<std::uintptr_t>(handle);
    return made;
  };
  all_ = make("MPI_COMM_WORLD", RankMap::range(0, 1, static_cast<int>(world_size)), world_rank,
              kWorldContext, MPI_COMM_WORLD);
  // One context number serves every rank's own MPI_COMM_SELF: no other rank sends there.
  alone_ = make("MPI_COMM_SELF", RankMap::range(world_rank, 1, 1), 0, kSelfContext, MPI_COMM_SELF);
  const int capacity = static_cast<int>(process.segment->capacity());
  everybody_ = make("all processes of the job", RankMap::range(0, 1, capacity), world_rank,
                    kEverybodyContext, MPI_COMM_NULL);
}

const Communicator* Communicators::of_context(shm::ContextId context) const {
  const Communicator* found = nullptr;
  for_each([&](const Communicator& one) {
    if (one.context() == context) found = &one;
  });
  return found;
}

void Communicators::open_world() {
  world_ = all_.get();
  self_ = alone_.get();
}

void Communicators::close_world() { world_ = self_ = nullptr; }

void end(Communicator& communicator) {
  if (communicator.predefined != 0) return;
  Communicator* local = communicator.is_inter() ? &communicator.local() : nullptr;
  const shm::ContextId context = communicator.context();
  communicators.destroy(communicator);
  if (context != shm::kNoContext) {
    forget_context(context);
    process.segment->release_context(context);
  }
  if (local != nullptr) release(*local);
}

}  // namespace atl
