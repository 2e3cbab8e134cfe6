#include "runtime/coll/barrier/barrier.h"

namespace atl::coll {
namespace {

// In round k each rank tells the one 2^k after it and hears from the one 2^k before it; after
// log2(size) rounds it has heard from all.
Task disseminate(Operation& operation, Communicator& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  for (int distance = 1; distance < size; distance *= 2) {
    operation.send(nothing(), (rank + distance) % size, comm);
    operation.receive(nothing(), (rank - distance + size) % size, comm);
    co_await operation.settled();
  }
}

}  // namespace

// Between groups the first ranks exchange messages when each knows that its own group is there.
Task messages::dissemination_barrier(const Barrier& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await disseminate(operation, call.comm);
    co_return;
  }
  co_await disseminate(operation, call.comm.local());
  if (call.comm.rank() == 0) {
    operation.send(nothing(), 0, call.comm);
    operation.receive(nothing(), 0, call.comm);
    co_await operation.settled();
  }
  co_await disseminate(operation, call.comm.local());
}

}  // namespace atl::coll
