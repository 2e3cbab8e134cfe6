#include "runtime/p2p/engine.h"

#include "runtime/p2p/send_buffer.h"

namespace atl::p2p {

Engine::Engine()
    : segment_(*process.segment), peers_(process.size), transfers_(segment_, process.rank) {
  for (std::uint32_t rank = 0; rank < process.size; ++rank) {
    peers_[rank].bell = &segment_.slot(rank).doorbell;
  }
  offers_only_ = settings.unexpected_bytes == 0;
}

Request& done_at_once() {
  static Request& request = []() -> Request& {
    Request& made = requests.create();
    made.shared = true;
    made.stage = Stage::complete;
    return made;
  }();
  return request;
}

void Engine::complete(Request& request, Fault fault) {
  if (fault) request.fail_with(fault);
  request.stage = Stage::complete;
  wake_sleepers();
  if (request.extras != nullptr && request.extras->from_buffer != nullptr) {
    request.extras->from_buffer->sent(request);
  } else if (request.detached) {
    end_detached(request);
  }
}

void Engine::run_deferred() {
  while (!deferred_.empty()) {
    const Deferred next = deferred_.back();
    deferred_.pop_back();
    next.run(next.argument);
  }
  wake_sleepers();  // one may wait for what was done here
}

// Those that did something may have changed the list.
bool Engine::look_at_watched(shm::Look look) {
  bool worked = false;
  for (std::size_t i = 0; i < watched_.size();) {
    const Watched one = watched_[i];
    if (one.look(one.argument, look)) {
      worked = true;
      i = 0;
    } else {
      ++i;
    }
  }
  if (worked) wake_sleepers();  // one may wait for what was done here
  return worked;
}

void Engine::end_detached(Request& request) {
  if (request.extras != nullptr && request.extras->after != nullptr) {
    request.extras->after(request.extras->after_argument, request);
  }
  free_request(request);
}

}  // namespace atl::p2p
