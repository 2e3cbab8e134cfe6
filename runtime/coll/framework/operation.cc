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

// Tags in the collective context. runtime/construct uses smaller and negative tags.
constexpr std::uint32_t kFirstTag = 1024;
constexpr std::uint32_t kTags = 1u << 30;

int next_tag(Communicator& comm) {
  return static_cast<int>(kFirstTag + comm.collectives++ % kTags);
}

}  // namespace

p2p::WaitDescription wait_description_in(Communicator& comm) {
  return {.communicator = &comm,
          .kind = shm::WaitKind::collective,
          .collective = comm.collectives,
          .began = process.activity.call};
}

Operation::Operation(Communicator& comm)
    : comm_(comm), tag_(next_tag(comm)), wait_description_(wait_description_in(comm)) {}

void Operation::send(const Data& data, int to, Communicator& comm) {
  ++under_way_;
  if (p2p::send_then({data.address, data.count, *data.type, to, tag_, comm.collective_context()},
                     comm, arrived, this)) {
    --under_way_;
  }
}

void Operation::receive(const Data& data, int from, Communicator& comm) {
  ++under_way_;
  wait_description_.peer = from;
  wait_description_.communicator = &comm;
  wait_description_.bytes = data.bytes();
  p2p::receive_then({data.address, data.count, *data.type, from, tag_, comm.collective_context()},
                    comm, arrived, this);
}

void Operation::arrived(void* self, const p2p::Request& request) {
  auto& operation = *static_cast<Operation*>(self);
  operation.fail(request.error());
  if (request.kind == p2p::RequestKind::receive) operation.check_length(request);
  if (--operation.under_way_ != 0) return;
  // A dropped blocking operation needs no callback: its caller sees under_way_ == 0, and destroys
  // it.
  const bool told = operation.dropped_ && operation.ran_on != nullptr;
  if (operation.waiting_ || told) p2p::engine->defer(run_on, &operation);
}

// Finds messages that are too short. The receive itself fails when the message is too long.
void Operation::check_length(const p2p::Request& receive) {
  if (receive.error_class != MPI_SUCCESS || receive.cancelled ||
      receive.bytes == receive.capacity()) {
    return;
  }
  fail(atl::make_error(MPI_ERR_COUNT, "rank %d of %s gives %llu bytes, rank %d expects %llu of it",
                       receive.source, receive.communicator->label().c_str(),
                       static_cast<unsigned long long>(receive.bytes), receive.communicator->rank(),
                       static_cast<unsigned long long>(receive.capacity())));
}

void Operation::run_on(void* self) {
  auto& operation = *static_cast<Operation*>(self);
  if (operation.ran_on != nullptr) p2p::engine->remove_progress_callback(&operation);
  if (operation.waiting_) std::exchange(operation.waiting_, {}).resume();
  if (operation.ran_on != nullptr) operation.ran_on(operation.owner);
}

void Operation::wait_for(std::coroutine_handle<> task, bool (*come)(void*, shm::PollMode),
                         void* condition) {
  waiting_ = task;
  come_ = come;
  condition_ = condition;
  if (ran_on == nullptr || (come == nullptr && channel_ == nullptr)) return;
  p2p::engine->add_progress_callback(
      [](void* self, shm::PollMode mode) { return static_cast<Operation*>(self)->poll(mode); },
      this);
}

bool Operation::poll(shm::PollMode mode) {
  // Polls per check for a mismatch, for a program that only calls MPI_Test.
  constexpr std::uint32_t kPollsPerCheck = 1024;
  if (!waiting_ || (come_ == nullptr && under_way_ == 0)) return false;  // about to run on
  if (come_ != nullptr && come_(condition_, mode)) {
    come_ = nullptr;
    run_on(this);
    return true;
  }
  return (mode == shm::PollMode::complete || ++polls_ % kPollsPerCheck == 0) && drop();
}

// Drops the task if other members' calls do not match this operation.
bool Operation::drop() {
  if (channel_ == nullptr || !fail(find_mismatch(*channel_, round_))) return false;
  come_ = nullptr;
  waiting_ = {};
  cancel_messages();
  dropped_ = true;
  if (under_way_ == 0) run_on(this);
  return true;
}

// Cancels the messages that are not matched. Matched ones complete by themselves, since both sides
// take part in them.
void Operation::cancel_messages() {
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

bool Operation::fail(const Error& error) {
  if (error && error_ == MPI_SUCCESS) {
    error_ = error.error_class();
    why_ = error.text();
  }
  return static_cast<bool>(error);
}

Error Operation::error() const {
  return error_ == MPI_SUCCESS ? Error() : make_error_for(error_, why_, &comm_);
}

}  // namespace atl::coll
