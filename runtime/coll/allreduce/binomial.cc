#include "runtime/coll/allreduce/allreduce.h"
#include "runtime/coll/bcast/bcast.h"
#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::messages {

// A reduction to rank 0 and a broadcast. In an inter-communicator each group gets the result of the
// other group.
Task binomial_allreduce(const Allreduce& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await binomial_reduce(operation, call.comm, call.arguments.contribution(),
                             call.arguments.result(), 0, call.arguments.reduction());
    co_await binomial_bcast(operation, call.comm, call.arguments.result(), 0);
    co_return;
  }
  const Scratch sum(call.arguments.contribution().count, call.arguments.datatype.get());
  co_await binomial_reduce(operation, call.comm.local(), call.arguments.contribution(), sum.data(),
                           0, call.arguments.reduction());
  if (call.comm.rank() == 0) {
    operation.send(sum.data(), 0, call.comm);
    operation.receive(call.arguments.result(), 0, call.comm);
    co_await operation.settled();
  }
  co_await binomial_bcast(operation, call.comm.local(), call.arguments.result(), 0);
}

}  // namespace atl::coll::messages
