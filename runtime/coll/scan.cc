// Prefix reductions.
#include "runtime/coll/messages.h"

namespace atl::coll {

Fault Prefix::check() const {
  if (comm.is_inter()) {
    return fail(MPI_ERR_COMM, "comm=%s is an inter-communicator, on which this is not defined",
                comm.label().c_str());
  }
  return with.check(true, !exclusive || comm.rank() != 0);
}

// Along the ranks: each takes in what those before it have together, adds its
// own value and passes that on.
Task messages::scan(const Prefix& call, Operation& operation) {
  const Data mine = call.with.contribution();
  const Scratch before(call.comm.rank() == 0 ? 0 : mine.count, mine.type);
  const Scratch sum(mine.count, mine.type);
  copy(mine, sum.data());
  if (call.comm.rank() != 0) {
    operation.receive(before.data(), call.comm.rank() - 1, call.comm);
    co_await operation.settled();
    call.with.reduction()(before.data().address, sum.data().address, mine.count);
  }
  if (call.comm.rank() + 1 < call.comm.size())
    operation.send(sum.data(), call.comm.rank() + 1, call.comm);
  if (!call.exclusive) {
    copy(sum.data(), call.with.result());
  } else if (call.comm.rank() != 0) {
    copy(before.data(), call.with.result());
  }
  co_await operation.settled();
}

}  // namespace atl::coll
