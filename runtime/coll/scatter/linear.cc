// The root sends one message to each other rank. Long messages are copied once, directly from the
// root's buffer to the receiver's.
#include "runtime/coll/scatter/scatter.h"

namespace atl::coll::messages {

Task linear_scatter(const Scatter& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!is_root(call.root, call.comm)) {
    operation.receive(call.mine[0], call.root, call.comm);
  } else {
    const int self = call.comm.is_inter() ? MPI_PROC_NULL : call.root;
    for (int rank = 0; rank < call.comm.peers(); ++rank) {
      if (rank != self) operation.send(call.all[rank], rank, call.comm);
    }
    if (self != MPI_PROC_NULL && !call.mine.in_place()) copy(call.all[self], call.mine[0]);
  }
  co_await operation.settled();
}

}  // namespace atl::coll::messages
