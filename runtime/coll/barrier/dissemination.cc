#include "runtime/coll/barrier/barrier.h"

namespace atl::coll {
namespace {

// In step k each rank sends to the rank 2^k after it and receives from the rank 2^k before it.
// After ceil(log2(size)) steps each rank knows that all have arrived.
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

// In an inter-communicator the two ranks 0 exchange messages after each has found that its own
// group has arrived.
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
