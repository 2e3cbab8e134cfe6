#include "runtime/coll/framework/partwise_reduction.h"
#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::shared_memory {

Task reduce_scatter_gather(const Reduce& call, Operation& operation, Ticket ticket) {
  return reduce_by_parts(operation, std::move(ticket), call.arguments, make_signature(call),
                         call.root);
}

}  // namespace atl::coll::shared_memory
