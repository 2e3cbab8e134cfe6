#include "runtime/coll/framework/hierarchy.h"
#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::shared_memory {

Task hierarchical_reduce(const Reduce& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  const Round first = ticket.reserve_rounds(2);
  const Hierarchy hierarchy(channel, call.root);
  const CollectiveSignature signature = channel.history.remember(make_signature(call));
  PartialResult partial(channel, first + 1, hierarchy, call.arguments.contribution(),
                        call.arguments.reduction());
  co_await publish_call(operation, channel, first, signature);
  co_await combine_up(operation, channel, first + 1, hierarchy, &partial, signature);
  if (!hierarchy.has_parent()) copy(partial.values(), call.arguments.result());
}

}  // namespace atl::coll::shared_memory
