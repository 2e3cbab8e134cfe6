#include "runtime/coll/framework/operation.h"

#include <utility>
#include <vector>

#include "runtime/coll/framework/collective_signature.h"
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
  if (request.kind == p2p::RequestKind::receive) operation.check_length(request);
  if (--operation.under_way_ != 0) return;
  // A blocking one that was dropped ends, with its memory, when its caller sees the last message.
  const bool told = operation.dropped_ && operation.ran_on != nullptr;
  if (operation.waiting_ || told) p2p::engine->later(run_on, &operation);
}

// One that is too long was found when it came.
void Operation::check_length(const p2p::Request& receive) {
  if (receive.error != MPI_SUCCESS || receive.cancelled || receive.bytes == receive.capacity()) {
    return;
  }
  fail(atl::fail(MPI_ERR_COUNT, "rank %d of %s gives %llu bytes, rank %d expects %llu of it",
                 receive.source, receive.communicator->label().c_str(),
                 static_cast<unsigned long long>(receive.bytes), receive.communicator->rank(),
                 static_cast<unsigned long long>(receive.capacity())));
}

void Operation::run_on(void* self) {
  auto& operation = *static_cast<Operation*>(self);
  if (operation.ran_on != nullptr) p2p::engine->unwatch(&operation);
  if (operation.waiting_) std::exchange(operation.waiting_, {}).resume();
  if (operation.ran_on != nullptr) operation.ran_on(operation.owner);
}

void Operation::wait_for(std::coroutine_handle<> task, bool (*come)(void*, shm::Look),
                         void* condition) {
  waiting_ = task;
  come_ = come;
  condition_ = condition;
  if (ran_on == nullptr || (come == nullptr && channel_ == nullptr)) return;
  p2p::engine->watch(
      [](void* self, shm::Look look) { return static_cast<Operation*>(self)->look(look); }, this);
}

bool Operation::look(shm::Look look) {
  constexpr std::uint32_t kLooks = 1024;  // for one at what the others call: of who only tests
  if (!waiting_ || (come_ == nullptr && under_way_ == 0)) return false;  // about to run on
  if (come_ != nullptr && come_(condition_, look)) {
    come_ = nullptr;
    run_on(this);
    return true;
  }
  return (look == shm::Look::full || ++looks_ % kLooks == 0) && drop();
}

// If others call something else.
bool Operation::drop() {
  if (channel_ == nullptr || !fail(find_mismatch(*channel_, round_))) return false;
  come_ = nullptr;
  waiting_ = {};
  withdraw_messages();
  dropped_ = true;
  if (under_way_ == 0) run_on(this);
  return true;
}

// Those that nobody has met. The others end by themselves, since both sides take part.
void Operation::withdraw_messages() {
  std::vector<p2p::Request*> begun;
  p2p::requests.for_each([&](p2p::Request& request) {
    const bool mine = request.extras != nullptr && request.extras->after_argument == this;
    if (mine && !request.complete()) begun.push_back(&request);
  });
  for (p2p::Request* request : begun) {
    if (request->kind == p2p::RequestKind::send) {
      p2p::engine->cancel_send(*request);
    } else {
      p2p::engine->cancel_receive(*request);
    }
  }
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
