// Gather and scatter: the root has a message with each of the others. Long
// messages are copied once, straight between the buffers of both.
#include "runtime/coll/messages.h"

namespace atl::coll {

Gather::Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm)
    : comm(comm),
      root(root),
      mine(const_cast<void*>(sendbuf), sendcount, sendtype),
      all(recvbuf, recvcount, recvtype),
      names(kReceive) {}

Gather::Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               Numbers recvcounts, Numbers displs, const Datatype* recvtype, int root,
               Communicator& comm)
    : comm(comm),
      root(root),
      mine(const_cast<void*>(sendbuf), sendcount, sendtype),
      all(recvbuf, recvcounts, displs, recvtype),
      names(kReceiveListed) {}

namespace {

// Who gives and who takes the rows: of one group the root is a rank, of two it is
// MPI_ROOT there.
bool is_root(const Communicator& comm, int root) {
  return comm.is_inter() ? root == MPI_ROOT : comm.rank() == root;
}

}  // namespace

Fault Gather::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (is_root(comm, root)) {
    if (Fault fault = all.check(names, comm.peers())) return fault;
    if (comm.is_inter() || mine.in_place()) return {};
    if (Fault fault = mine.check(kSend, 1)) return fault;
    if (Fault fault = check_own_block(mine.bytes(0), all.bytes(root))) return fault;
    return check_apart(mine, 1, all, comm.peers());
  }
  return mine.check(kSend, 1);
}

void Gather::keep(KeptNumbers& kept) {
  if (is_root(comm, root)) all.keep(kept, comm.peers());
}

Task messages::gather(const Gather& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!is_root(call.comm, call.root)) {
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

Scatter::Scatter(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
                 MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm)
    : comm(comm),
      root(root),
      all(const_cast<void*>(sendbuf), sendcount, sendtype),
      mine(recvbuf, recvcount, recvtype),
      names(kSend) {}

Scatter::Scatter(const void* sendbuf, Numbers sendcounts, Numbers displs, const Datatype* sendtype,
                 void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, int root,
                 Communicator& comm)
    : comm(comm),
      root(root),
      all(const_cast<void*>(sendbuf), sendcounts, displs, sendtype),
      mine(recvbuf, recvcount, recvtype),
      names(kSendListed) {}

Fault Scatter::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (is_root(comm, root)) {
    if (Fault fault = all.check(names, comm.peers())) return fault;
    if (comm.is_inter() || mine.in_place()) return {};
    if (Fault fault = mine.check(kReceive, 1)) return fault;
    if (Fault fault = check_own_block(all.bytes(root), mine.bytes(0))) return fault;
    return check_apart(all, comm.peers(), mine, 1);
  }
  return mine.check(kReceive, 1);
}

void Scatter::keep(KeptNumbers& kept) {
  if (is_root(comm, root)) all.keep(kept, comm.peers());
}

Task messages::scatter(const Scatter& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!is_root(call.comm, call.root)) {
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

}  // namespace atl::coll
