#include "runtime/coll/framework/one_round.h"

#include "runtime/coll/framework/no_memory.h"
#include "runtime/p2p/blocking.h"

namespace atl::coll::shared_memory {

Error wait_long(Channel& channel, bool (*holds)(void* condition, shm::PollMode mode),
                void* condition) {
  bool done = false;
  Error error;
  const auto done_or_mismatch = [&](shm::PollMode mode) {
    done = holds(condition, mode);
    if (!done && mode == shm::PollMode::complete) {
      error = find_mismatch(channel, channel.order.first());
      done = static_cast<bool>(error);
    }
    return done;
  };
  wait_to_the_end(channel.comm(), [&] {
    p2p::block_until([&] { return done; }, wait_description_in(channel.comm()), done_or_mismatch);
  });
  return error;
}

}  // namespace atl::coll::shared_memory
