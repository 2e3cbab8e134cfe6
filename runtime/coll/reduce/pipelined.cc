#include "runtime/coll/framework/pipelined_reduction.h"
#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::shared_memory {

Task pipelined_reduce(const Reduce& call, Operation& operation, Ticket ticket) {
  const bool is_root = ticket.channel().rank() == call.root;
  const PipelinedReduction pipeline(call.arguments, make_signature(call), ticket.channel(),
                                    is_root);
  return is_root ? run_pipeline(operation, std::move(ticket), pipeline)
                 : contribute_to_pipeline(operation, std::move(ticket), pipeline, call.root);
}

}  // namespace atl::coll::shared_memory
