// Exchanges one message with each other rank. Each rank begins with its neighbour, so that not all
// ranks send to the same rank at once.
#pragma once

#include "runtime/coll/framework/operation.h"

namespace atl::coll::messages {

// Begins all messages except the one to this rank itself: sends out(rank) to each rank and receives
// into in(rank) from it.
template <class Out, class In>
void begin_exchange(Operation& operation, Communicator& comm, Out out, In in) {
  const int peers = comm.peers();
  const int rank = comm.rank() % peers;  // the other group may be smaller
  const int self = comm.is_inter() ? MPI_PROC_NULL : rank;
  for (int i = 0; i < peers; ++i) {
    const int from = (rank + i) % peers;
    if (from != self) operation.receive(in(from), from, comm);
  }
  for (int i = 0; i < peers; ++i) {
    const int to = (rank + peers - i) % peers;
    if (to != self) operation.send(out(to), to, comm);
  }
}

}  // namespace atl::coll::messages
