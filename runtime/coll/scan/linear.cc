#include "runtime/coll/scan/scan.h"

namespace atl::coll::messages {

// A chain: each rank receives the result of the ranks before it, combines it with its own values
// and sends that to the next rank.
Task linear_scan(const Prefix& call, Operation& operation) {
  const Data mine = call.arguments.contribution();
  const Scratch before(call.comm.rank() == 0 ? 0 : mine.count, mine.type);
  const Scratch sum(mine.count, mine.type);
  copy(mine, sum.data());
  if (call.comm.rank() != 0) {
    operation.receive(before.data(), call.comm.rank() - 1, call.comm);
    co_await operation.settled();
    call.arguments.reduction()(before.data().address, sum.data().address, mine.count);
  }
  if (call.comm.rank() + 1 < call.comm.size())
    operation.send(sum.data(), call.comm.rank() + 1, call.comm);
  if (!call.exclusive) {
    copy(sum.data(), call.arguments.result());
  } else if (call.comm.rank() != 0) {
    copy(before.data(), call.arguments.result());
  }
  co_await operation.settled();
}

}  // namespace atl::coll::messages
