// Allgather and alltoall: everybody has a message with everybody, each rank
// beginning with its neighbour, so that not all talk to the same one at once.
#include "runtime/coll/messages.h"

namespace atl::coll {
namespace {

// Begins all messages but the one to oneself: out(rank) goes there, what comes
// from there goes to in(rank).
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

}  // namespace

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

Fault Allgather::check() const {
  if (Fault fault = all.check(names, comm.peers())) return fault;
  if (mine.in_place() && !comm.is_inter()) return {};
  if (Fault fault = mine.check(kSend, 1)) return fault;
  if (!comm.is_inter()) {
    if (Fault fault = check_own_block(mine.bytes(0), all.bytes(comm.rank()))) return fault;
  }
  return check_apart(mine, 1, all, comm.peers());
}

Task messages::allgather(const Allgather& call, Operation& operation) {
  const bool in_place = call.mine.in_place();
  const Data own = in_place ? call.all[call.comm.rank()] : call.mine[0];
  begin_exchange(
      operation, call.comm, [&](int) { return own; }, [&](int rank) { return call.all[rank]; });
  if (!call.comm.is_inter() && !in_place) copy(own, call.all[call.comm.rank()]);
  co_await operation.settled();
}

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

Fault Alltoall::check() const {
  if (Fault fault = in.check(in_names, comm.peers())) return fault;
  if (out.in_place() && !comm.is_inter()) return {};
  if (Fault fault = out.check(out_names, comm.peers())) return fault;
  if (!comm.is_inter()) {
    if (Fault fault = check_own_block(out.bytes(comm.rank()), in.bytes(comm.rank()))) return fault;
  }
  return check_apart(out, comm.peers(), in, comm.peers());
}

void Alltoall::keep(KeptNumbers& kept) {
  if (!out.in_place()) out.keep(kept, comm.peers());
  in.keep(kept, comm.peers());
}

namespace {

// What is to be sent lies where what comes goes: it is set aside first.
Task exchange_in_place(Operation& operation, Communicator& comm, const Blocks& blocks) {
  std::vector<Scratch> aside;
  aside.reserve(static_cast<std::size_t>(comm.size()));
  for (int i = 1; i < comm.size(); ++i) {
    const int peer = (comm.rank() + i) % comm.size();
    const Data block = blocks[peer];
    aside.emplace_back(block.count, block.type);
    copy(block, aside.back().data());
    operation.receive(block, peer, comm);
    operation.send(aside.back().data(), peer, comm);
  }
  co_await operation.settled();
}

}  // namespace

Task messages::alltoall(const Alltoall& call, Operation& operation) {
  if (call.out.in_place()) {
    co_await exchange_in_place(operation, call.comm, call.in);
    co_return;
  }
  begin_exchange(
      operation, call.comm, [&](int rank) { return call.out[rank]; },
      [&](int rank) { return call.in[rank]; });
  if (!call.comm.is_inter()) copy(call.out[call.comm.rank()], call.in[call.comm.rank()]);
  co_await operation.settled();
}

}  // namespace atl::coll
