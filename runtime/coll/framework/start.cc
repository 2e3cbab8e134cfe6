#include "runtime/coll/framework/start.h"

#include "runtime/coll/framework/no_memory.h"
#include "runtime/p2p/engine.h"

namespace atl::coll {

bool calls_mismatch(Communicator& comm) {
  constexpr Round kAny = ~Round{0} - 1;
  return comm.channel != nullptr && comm.channel->reported(kAny);
}

void wait_for(Task& task, Operation& operation) {
  wait_to_the_end(*operation.awaited().communicator, [&] {
    p2p::block_until([&] { return operation.ended(task); }, operation.awaited(),
                     [&](shm::Look look) { return operation.look(look); });
  });
}

p2p::Request& make_request(std::unique_ptr<Started> started, Communicator& comm) {
  p2p::Request& request = p2p::make_request(p2p::RequestKind::collective, comm);
  request.extra().restartable = std::move(started);
  return request;
}

void Started::start(p2p::Request& request) {
  request.stage = p2p::Stage::active;
  request_ = &request;
  if (!operation_.dropped()) {
    operation_.clear_error();
    task_ = task(operation_);
    task_.resume();
  }
  look(this);
}

void Started::look(void* self) {
  auto& started = *static_cast<Started*>(self);
  if (!started.operation_.ended(started.task_)) return;
  started.task_ = Task();  // ends its ticket, for which later operations may wait
  p2p::engine->complete(*started.request_, started.operation_.fault());
}

}  // namespace atl::coll
