#include "runtime/coll/bcast/bcast.h"
#include "runtime/coll/framework/hierarchy.h"

namespace atl::coll::shared_memory {

Task hierarchical_bcast(const Bcast& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  const Round first = ticket.reserve_rounds(2);
  const Hierarchy hierarchy(channel, call.root, &channel.machine_order());
  const CollectiveSignature signature = channel.history.remember(make_signature(call));
  co_await publish_call(operation, channel, first, signature);
  co_await copy_down(operation, channel, first + 1, hierarchy, call.data, signature);
}

}  // namespace atl::coll::shared_memory
