// The root receives one message from each other rank. Long messages are copied once, directly from
// the sender's buffer to the root's.
#include "runtime/coll/gather/gather.h"

namespace atl::coll::messages {

Task linear_gather(const Gather& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!is_root(call.root, call.comm)) {
    operation.send(call.mine[0], call.root, call.comm);
  } else {
    const int self = call.comm.is_inter() ? MPI_PROC_NULL : call.root;
    for (int rank = 0; rank < call.comm.peers(); ++rank) {
      if (rank != self) operation.receive(call.all[rank], rank, call.comm);
    }
    if (self != MPI_PROC_NULL && !call.mine.in_place()) copy(call.mine[0], call.all[self]);
  }
  co_await operation.settled();
}

}  // namespace atl::coll::messages
