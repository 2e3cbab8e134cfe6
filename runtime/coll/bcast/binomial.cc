#include "runtime/coll/bcast/bcast.h"

namespace atl::coll::messages {

// A rank that has the data sends it to the ranks whose numbers, counted from the root, differ from
// its own number in exactly one bit below its lowest set bit.
Task binomial_bcast(Operation& operation, Communicator& comm, Data data, int root) {
  const int size = comm.size();
  const int number = (comm.rank() - root + size) % size;
  const auto rank_of = [=](int n) { return (n + root) % size; };
  int bit = 1;
  while (bit < size && (number & bit) == 0) bit *= 2;
  if (number != 0) {
    operation.receive(data, rank_of(number - bit), comm);
    co_await operation.settled();
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (number + bit < size) operation.send(data, rank_of(number + bit), comm);
  }
  co_await operation.settled();
}

// In an inter-communicator the root sends to rank 0 of the other group, which broadcasts there.
Task binomial_bcast(const Bcast& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await binomial_bcast(operation, call.comm, call.data, call.root);
    co_return;
  }
  if (call.root == MPI_PROC_NULL) co_return;
  if (call.root == MPI_ROOT) {
    operation.send(call.data, 0, call.comm);
    co_await operation.settled();
    co_return;
  }
  if (call.comm.rank() == 0) {
    operation.receive(call.data, call.root, call.comm);
    co_await operation.settled();
  }
  co_await binomial_bcast(operation, call.comm.local(), call.data, 0);
}

}  // namespace atl::coll::messages
