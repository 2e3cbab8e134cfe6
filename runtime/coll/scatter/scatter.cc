#include "runtime/coll/scatter/scatter.h"

#include "runtime/coll/framework/inter_roots.h"

namespace atl::coll {

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

Error Scatter::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (is_root(root, comm)) {
    if (Error error = all.check(names, comm.peers())) return error;
    if (comm.is_inter() || mine.in_place()) return {};
    if (Error error = mine.check(kReceive, 1)) return error;
    if (Error error = check_own_block(all.bytes(root), mine.bytes(0))) return error;
    return check_apart(all, comm.peers(), mine, 1);
  }
  return mine.check(kReceive, 1);
}

void Scatter::keep(KeptNumbers& kept) {
  if (is_root(root, comm)) all.keep(kept, comm.peers());
}

CollectiveSignature make_signature(const Scatter& call) {
  if (!call.equal_blocks()) return make_signature(Kind::scatterv, nothing(), call.root);
  return make_signature(Kind::scatter, call.own(), call.root);
}

CollectiveSignature make_signature_between_groups(const Scatter& call, const Channel& channel) {
  const int root = root_between_groups(channel, call.root);
  if (!call.equal_blocks()) return make_signature(Kind::scatterv, nothing(), root);
  if (call.root == MPI_PROC_NULL) return make_signature(Kind::scatter, nothing(), root);
  return make_signature(Kind::scatter, call.root == MPI_ROOT ? call.all[0] : call.mine[0], root);
}

}  // namespace atl::coll
