// Barrier and broadcast.
#include "runtime/coll/messages.h"

namespace atl::coll {

// Dissemination: in round k each rank tells the one 2^k after it and hears from
// the one 2^k before it; after log2(size) rounds it has heard from all.
Task barrier(Operation& operation, Communicator& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  for (int distance = 1; distance < size; distance *= 2) {
    operation.send(nothing(), (rank + distance) % size, comm);
    operation.receive(nothing(), (rank - distance + size) % size, comm);
    co_await operation.settled();
  }
}

// A binomial tree: whoever has the data passes it on to the rank whose number,
// counted from the root, differs in the next lower bit.
Task bcast(Operation& operation, Communicator& comm, Data data, int root) {
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

// Between groups their first ranks meet when each knows that its own is there.
Task messages::barrier(const Barrier& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await barrier(operation, call.comm);
    co_return;
  }
  co_await barrier(operation, call.comm.local());
  if (call.comm.rank() == 0) {
    operation.send(nothing(), 0, call.comm);
    operation.receive(nothing(), 0, call.comm);
    co_await operation.settled();
  }
  co_await barrier(operation, call.comm.local());
}

Fault Bcast::check() const {
  if (root == MPI_PROC_NULL) return {};
  return check_data({"buffer", "count", "datatype"}, data.address, count, data.type);
}

// Between groups: from the root to the first rank of the other one, and there to all.
Task messages::bcast(const Bcast& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await bcast(operation, call.comm, call.data, call.root);
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
  co_await bcast(operation, call.comm.local(), call.data, 0);
}

}  // namespace atl::coll
