#include "runtime/coll/allreduce/allreduce.h"
#include "runtime/coll/framework/hierarchy.h"

namespace atl::coll::shared_memory {

Task hierarchical_allreduce(const Allreduce& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  const Round first = ticket.reserve_rounds(3);
  const Hierarchy hierarchy(channel, 0);
  const CollectiveSignature signature = channel.history.remember(make_signature(call));
  PartialResult partial(channel, first + 1, hierarchy, call.arguments.contribution(),
                        call.arguments.reduction());
  co_await publish_call(operation, channel, first, signature);
  co_await combine_up(operation, channel, first + 1, hierarchy, &partial, signature);
  if (!hierarchy.has_parent()) copy(partial.values(), call.arguments.result());
  const Hierarchy near(channel, 0, &channel.machine_order());
  co_await copy_down(operation, channel, first + 2, near, call.arguments.result(), signature);
  channel.note_all_released(first);
}

}  // namespace atl::coll::shared_memory
