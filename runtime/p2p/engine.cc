#include "runtime/p2p/engine.h"

#include <algorithm>
#include <utility>

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
  ATL_DCHECK(!request.link.is_linked());  // in no queue any more
  if (fault) request.fail_with(fault);
  request.stage = Stage::complete;
  count_down(request);
  wake_sleepers();
  if (request.extras != nullptr && request.extras->from_buffer != nullptr) {
    request.extras->from_buffer->sent(request);
  } else if (request.detached) {
    end_detached(request);
  }
}

void Engine::count_down_slowly(Request& request) {
  if (request.complete()) return leave_counter(request);
  // The other half of MPI_Isendrecv is to come.
  request.other->place = request.place;
  request.other->counter = std::exchange(request.counter, nullptr);
}

void Engine::run_deferred() {
  while (!deferred_.empty()) {
    const Deferred next = deferred_.back();
    deferred_.pop_back();
    next.run(next.argument);
  }
  wake_sleepers();  // one may wait for what was done here
}

// Those that did something may have changed the list; the next poll asks those that were
// left out by that.
bool Engine::look_at_watched(shm::Look look) {
  bool worked = false;
  const std::size_t turns =
      look == shm::Look::full ? watched_.size() : std::min(watched_.size(), kTurns);
  for (std::size_t turn = 0; turn < turns && !watched_.empty(); ++turn) {
    if (next_watched_ >= watched_.size()) next_watched_ = 0;
    const Watched one = watched_[next_watched_++];
    worked |= one.look(one.argument, look);
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
