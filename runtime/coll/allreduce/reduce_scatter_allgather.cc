#include "runtime/coll/allreduce/allreduce.h"
#include "runtime/coll/framework/partwise_reduction.h"

namespace atl::coll::shared_memory {

Task reduce_scatter_allgather(const Allreduce& call, Operation& operation, Ticket ticket) {
  return reduce_by_parts(operation, std::move(ticket), call.arguments, make_signature(call),
                         kAllGetResult);
}

}  // namespace atl::coll::shared_memory
