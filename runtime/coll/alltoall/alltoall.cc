#include "runtime/coll/alltoall/alltoall.h"

namespace atl::coll {

Alltoall::Alltoall(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype,
                   void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, Communicator& comm)
    : comm(comm),
      out(const_cast<void*>(sendbuf), sendcount, sendtype),
      in(recvbuf, recvcount, recvtype),
      out_names(kSend),
      in_names(kReceive) {}

Alltoall::Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                   const Datatype* sendtype, void* recvbuf, Numbers recvcounts, Numbers rdispls,
                   const Datatype* recvtype, Communicator& comm)
    : comm(comm),
      out(const_cast<void*>(sendbuf), sendcounts, sdispls, sendtype),
      in(recvbuf, recvcounts, rdispls, recvtype),
      out_names(kSendListed),
      in_names(kReceiveListed) {}

Alltoall::Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                   const MPI_Datatype* sendtypes, void* recvbuf, Numbers recvcounts,
                   Numbers rdispls, const MPI_Datatype* recvtypes, Communicator& comm)
    : comm(comm),
      out(const_cast<void*>(sendbuf), sendcounts, sdispls, sendtypes, comm.peers()),
      in(recvbuf, recvcounts, rdispls, recvtypes, comm.peers()),
      out_names{"sendbuf", "sendcounts", "sendtypes"},
      in_names{"recvbuf", "recvcounts", "recvtypes"} {}

Error Alltoall::check() const {
  if (Error error = in.check(in_names, comm.peers())) return error;
  if (out.in_place() && !comm.is_inter()) return {};
  if (Error error = out.check(out_names, comm.peers())) return error;
  if (!comm.is_inter()) {
    if (Error error = check_own_block(out.bytes(comm.rank()), in.bytes(comm.rank()))) return error;
  }
  return check_apart(out, comm.peers(), in, comm.peers());
}

void Alltoall::keep(KeptNumbers& kept) {
  if (!out.in_place()) out.keep(kept, comm.peers());
  in.keep(kept, comm.peers());
}

CollectiveSignature make_signature(const Alltoall& call) {
  if (!call.equal_blocks()) return make_signature(Kind::alltoallv);
  return make_signature(Kind::alltoall, call.in[call.comm.rank()]);
}

CollectiveSignature make_signature_between_groups(const Alltoall& call, const Channel&) {
  return make_signature(call.equal_blocks() ? Kind::alltoall : Kind::alltoallv);
}

}  // namespace atl::coll
