#include "runtime/coll/operation.h"

#include <utility>

#include "runtime/coll/called.h"
#include "runtime/core/process.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::coll {
namespace {

// Tags in the collective context. runtime/construct has the small ones and the
// negative ones.
constexpr std::uint32_t kFirstTag = 1024;
constexpr std::uint32_t kTags = 1u << 30;

int next_tag(Communicator& comm) {
  return static_cast<int>(kFirstTag + comm.collectives++ % kTags);
}

}  // namespace

p2p::Awaited awaited_in(Communicator& comm) {
  return {.communicator = &comm,
          .kind = shm::WaitKind::collective,
          .collective = comm.collectives,
          .began = process.activity.call};
}

Operation::Operation(Communicator& comm)
    : comm_(comm), tag_(next_tag(comm)), awaited_(awaited_in(comm)) {}

void Operation::send(const Data& data, int to, Communicator& comm) {
  ++under_way_;
  if (p2p::send_then({data.address, data.count, *data.type, to, tag_, comm.collective_context()},
                     comm, arrived, this)) {
    --under_way_;
  }
}

void Operation::receive(const Data& data, int from, Communicator& comm) {
  ++under_way_;
  awaited_.peer = from;
  awaited_.communicator = &comm;
  awaited_.bytes = data.bytes();
  p2p::receive_then({data.address, data.count, *data.type, from, tag_, comm.collective_context()},
                    comm, arrived, this);
}

void Operation::arrived(void* self, const p2p::Request& request) {
  auto& operation = *static_cast<Operation*>(self);
  operation.fail(request.fault());
  if (--operation.under_way_ == 0 && operation.waiting_) p2p::engine->later(run_on, &operation);
}

void Operation::run_on(void* self) {
  auto& operation = *static_cast<Operation*>(self);
  std::exchange(operation.waiting_, {}).resume();
  if (operation.ran_on != nullptr) operation.ran_on(operation.owner);
}

void Operation::wait_for(std::coroutine_handle<> task, bool (*come)(void*, shm::Look),
                         void* condition) {
  waiting_ = task;
  come_ = come;
  condition_ = condition;
  if (ran_on == nullptr) return;
  p2p::engine->watch(
      [](void* self, shm::Look look) { return static_cast<Operation*>(self)->look(look); }, this);
}

bool Operation::look(shm::Look look) {
  if (come_ == nullptr) return false;
  if (!come_(condition_, look)) return look == shm::Look::full && drop();
  come_ = nullptr;
  if (ran_on != nullptr) p2p::engine->unwatch(this);
  run_on(this);
  return true;
}

// If others call something else.
bool Operation::drop() {
  if (channel_ == nullptr || !fail(compare_posted(*channel_))) return false;
  dropped_ = true;
  come_ = nullptr;
  waiting_ = {};
  if (ran_on != nullptr) {
    p2p::engine->unwatch(this);
    ran_on(owner);
  }
  return true;
}

bool Operation::fail(const Fault& fault) {
  if (fault && error_ == MPI_SUCCESS) {
    error_ = fault.error_class();
    why_ = fault.text();
  }
  return static_cast<bool>(fault);
}

Fault Operation::fault() const {
  return error_ == MPI_SUCCESS ? Fault() : fail_with(error_, why_, &comm_);
}

}  // namespace atl::coll
