#include "runtime/coll/framework/one_round.h"

#include "runtime/coll/framework/no_memory.h"
#include "runtime/p2p/blocking.h"

namespace atl::coll::shared_memory {

Fault wait_long(Channel& channel, bool (*holds)(void* condition, shm::Look look), void* condition) {
  bool done = false;
  Fault fault;
  const auto done_or_mismatch = [&](shm::Look look) {
    done = holds(condition, look);
    if (!done && look == shm::Look::full) {
      fault = find_mismatch(channel, channel.order.first());
      done = static_cast<bool>(fault);
    }
    return done;
  };
  wait_to_the_end(channel.comm(), [&] {
    p2p::block_until([&] { return done; }, awaited_in(channel.comm()), done_or_mismatch);
  });
  return fault;
}

}  // namespace atl::coll::shared_memory
