#include "runtime/coll/barrier/barrier.h"
#include "runtime/coll/framework/hierarchy.h"

namespace atl::coll::shared_memory {

Task hierarchical_barrier(const Barrier& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  const Round first = ticket.reserve_rounds(3);
  const Hierarchy hierarchy(channel, 0, &channel.machine_order());
  const CollectiveSignature signature = channel.history.remember(make_signature(call));
  co_await publish_call(operation, channel, first, signature);
  co_await combine_up(operation, channel, first + 1, hierarchy, nullptr, signature);
  co_await copy_down(operation, channel, first + 2, hierarchy, nothing(), signature);
  channel.note_all_released(first);
}

}  // namespace atl::coll::shared_memory
