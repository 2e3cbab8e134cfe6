#include "runtime/coll/allreduce/allreduce.h"
#include "runtime/coll/framework/pipelined_reduction.h"

namespace atl::coll::shared_memory {

Task pipelined_allreduce(const Allreduce& call, Operation& operation, Ticket ticket) {
  const PipelinedReduction pipeline(call.arguments, make_signature(call), ticket.channel(), false);
  return run_pipeline(operation, std::move(ticket), pipeline);
}

}  // namespace atl::coll::shared_memory
