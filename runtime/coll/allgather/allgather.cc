#include "runtime/coll/allgather/allgather.h"

namespace atl::coll {

Allgather::Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype,
                     void* recvbuf, MPI_Count recvcount, const Datatype* recvtype,
                     Communicator& comm)
    : comm(comm),
      mine(const_cast<void*>(sendbuf), sendcount, sendtype),
      all(recvbuf, recvcount, recvtype),
      names(kReceive) {}

Allgather::Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype,
                     void* recvbuf, Numbers recvcounts, Numbers displs, const Datatype* recvtype,
                     Communicator& comm)
    : comm(comm),
      mine(const_cast<void*>(sendbuf), sendcount, sendtype),
      all(recvbuf, recvcounts, displs, recvtype),
      names(kReceiveListed) {}

Error Allgather::check() const {
  if (Error error = all.check(names, comm.peers())) return error;
  if (mine.in_place() && !comm.is_inter()) return {};
  if (Error error = mine.check(kSend, 1)) return error;
  if (!comm.is_inter()) {
    if (Error error = check_own_block(mine.bytes(0), all.bytes(comm.rank()))) return error;
  }
  return check_apart(mine, 1, all, comm.peers());
}

CollectiveSignature make_signature(const Allgather& call) {
  if (call.all.alike()) return make_signature(Kind::allgather, call.all[0]);
  CollectiveSignature signature = make_signature(Kind::allgatherv);
  signature.bytes = call.all.total_bytes(call.comm.size());
  return with_counts(signature, call.comm.size(), [&](int rank) { return call.all.bytes(rank); });
}

// The counts of the two groups may differ.
CollectiveSignature make_signature_between_groups(const Allgather& call, const Channel&) {
  return make_signature(call.all.alike() ? Kind::allgather : Kind::allgatherv);
}

}  // namespace atl::coll
