// Prefix reductions.
#include "runtime/coll/calls.h"

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
Task Prefix::run(Operation& operation) const {
  const Data mine = with.contribution();
  const Scratch before(comm.rank() == 0 ? 0 : mine.count, mine.type);
  const Scratch sum(mine.count, mine.type);
  copy(mine, sum.data());
  if (comm.rank() != 0) {
    operation.receive(before.data(), comm.rank() - 1, comm);
    co_await operation.settled();
    with.reduction()(before.data().address, sum.data().address, mine.count);
  }
  if (comm.rank() + 1 < comm.size()) operation.send(sum.data(), comm.rank() + 1, comm);
  if (!exclusive) {
    copy(sum.data(), with.result());
  } else if (comm.rank() != 0) {
    copy(before.data(), with.result());
  }
  co_await operation.settled();
}

}  // namespace atl::coll
