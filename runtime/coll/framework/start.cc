#include "runtime/coll/framework/start.h"

#include "runtime/coll/framework/no_memory.h"
#include "runtime/p2p/engine.h"

namespace atl::coll {

bool calls_mismatch(Communicator& comm) {
  constexpr Round kAny = ~Round{0} - 1;
  Channel* channel = comm.extensions.get(kChannel);
  return channel != nullptr && channel->reported(kAny);
}

void wait_for(Task& task, Operation& operation) {
  wait_to_the_end(*operation.wait_description().communicator, [&] {
    p2p::block_until([&] { return operation.ended(task); }, operation.wait_description(),
                     [&](shm::PollMode mode) { return operation.poll(mode); });
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
  run_on(this);
}

void Started::run_on(void* self) {
  auto& started = *static_cast<Started*>(self);
  if (!started.operation_.ended(started.task_)) return;
  started.task_ = Task();  // destroys its ticket, so that later operations are served
  p2p::engine->complete(*started.request_, started.operation_.error());
}

}  // namespace atl::coll
