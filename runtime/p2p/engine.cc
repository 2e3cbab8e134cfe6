#include "runtime/p2p/engine.h"

#include <algorithm>
#include <utility>

#include "runtime/p2p/attached_buffer.h"
#include "runtime/p2p/message_settings.h"

namespace atl::p2p {

Engine::Engine()
    : segment_(*process.segment), peers_(process.size), rendezvous_pool_(segment_, process.rank) {
  for (std::uint32_t rank = 0; rank < process.size; ++rank) {
    peers_[rank].bell = &segment_.slot(rank).doorbell;
  }
  rendezvous_only_ = settings.unexpected_bytes == 0;
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

void Engine::complete(Request& request, Error error) {
  ATL_DCHECK(!request.link.is_linked());  // in no queue
  if (error) request.fail(error);
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
  // The other half of MPI_Isendrecv is not complete: the counter moves to it.
  request.other->place = request.place;
  request.other->counter = std::exchange(request.counter, nullptr);
}

void Engine::run_deferred() {
  while (!deferred_.empty()) {
    const Deferred next = deferred_.back();
    deferred_.pop_back();
    next.run(next.argument);
  }
  wake_sleepers();  // another thread may wait for what the callbacks did
}

// A callback that makes progress may change the list, so that this poll misses some of the
// others. The next poll reaches them, since it starts at next_callback_.
bool Engine::run_progress_callbacks(shm::PollMode mode) {
  bool worked = false;
  const std::size_t turns = mode == shm::PollMode::complete
                                ? callbacks_.size()
                                : std::min(callbacks_.size(), kMostProgressed);
  for (std::size_t turn = 0; turn < turns && !callbacks_.empty(); ++turn) {
    if (next_callback_ >= callbacks_.size()) next_callback_ = 0;
    const ProgressCallback one = callbacks_[next_callback_++];
    worked |= one.progress(one.argument, mode);
  }
  if (worked) wake_sleepers();  // another thread may wait for what the callbacks did
  return worked;
}

void Engine::end_detached(Request& request) {
  if (request.extras != nullptr && request.extras->after != nullptr) {
    request.extras->after(request.extras->after_argument, request);
  }
  free_request(request);
}

}  // namespace atl::p2p
