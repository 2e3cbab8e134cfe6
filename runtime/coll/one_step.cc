#include "runtime/coll/one_step.h"

#include "runtime/coll/no_memory.h"
#include "runtime/p2p/blocking.h"

namespace atl::coll::arena {

Fault wait_long(Channel& channel, bool (*come)(void* condition, shm::Look look), void* condition) {
  bool done = false;
  Fault fault;
  const auto has_come = [&](shm::Look look) {
    done = come(condition, look);
    if (!done && look == shm::Look::full) {
      fault = find_mismatch(channel, channel.first());
      done = static_cast<bool>(fault);
    }
    return done;
  };
  wait_to_the_end(channel.comm(), [&] {
    p2p::block_until([&] { return done; }, awaited_in(channel.comm()), has_come);
  });
  return fault;
}

}  // namespace atl::coll::arena
