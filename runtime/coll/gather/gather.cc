#include "runtime/coll/gather/gather.h"

#include "runtime/coll/framework/inter_roots.h"

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

Error Gather::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (is_root(root, comm)) {
    if (Error error = all.check(names, comm.peers())) return error;
    if (comm.is_inter() || mine.in_place()) return {};
    if (Error error = mine.check(kSend, 1)) return error;
    if (Error error = check_own_block(mine.bytes(0), all.bytes(root))) return error;
    return check_apart(mine, 1, all, comm.peers());
  }
  return mine.check(kSend, 1);
}

void Gather::keep(KeptNumbers& kept) {
  if (is_root(root, comm)) all.keep(kept, comm.peers());
}

CollectiveSignature make_signature(const Gather& call) {
  if (!call.equal_blocks()) return make_signature(Kind::gatherv, nothing(), call.root);
  return make_signature(Kind::gather, call.own(), call.root);
}

CollectiveSignature make_signature_between_groups(const Gather& call, const Channel& channel) {
  const int root = root_between_groups(channel, call.root);
  if (!call.equal_blocks()) return make_signature(Kind::gatherv, nothing(), root);
  if (call.root == MPI_PROC_NULL) return make_signature(Kind::gather, nothing(), root);
  return make_signature(Kind::gather, call.root == MPI_ROOT ? call.all[0] : call.mine[0], root);
}

}  // namespace atl::coll
