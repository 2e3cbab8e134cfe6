#include "runtime/coll/one_step.h"

#include "runtime/p2p/blocking.h"

namespace atl::coll::arena {

void wait_long(Channel& channel, bool (*come)(void* condition, shm::Look look), void* condition) {
  bool done = false;
  p2p::block_until([&] { return done; }, awaited_in(channel.comm()),
                   [&](shm::Look look) { return done = come(condition, look); });
}

}  // namespace atl::coll::arena
