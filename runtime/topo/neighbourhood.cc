#include "runtime/topo/neighbourhood.h"

#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

using coll::Blocks;
using coll::Datatype;
using coll::Names;
using coll::Numbers;

namespace {

int indegree(const Communicator& comm) {
  return topology_of(comm) == nullptr ? 0 : topology_of(comm)->neighbours.indegree;
}

int outdegree(const Communicator& comm) {
  return topology_of(comm) == nullptr ? 0 : topology_of(comm)->neighbours.outdegree;
}

void* writable(const void* sendbuf) { return const_cast<void*>(sendbuf); }  // never written

// With `degree` 0 the counts and types describe no block and are not checked.
Error check_blocks(const Blocks& blocks, const Names& names, int degree) {
  if (blocks.in_place()) {
    return make_error(MPI_ERR_BUFFER, "%s=MPI_IN_PLACE is not allowed here", names.buffer);
  }
  return degree == 0 ? Error() : blocks.check(names, degree);
}

}  // namespace

Error Exchange::check() const {
  if (topology_of(comm) == nullptr) {
    return make_error(MPI_ERR_TOPOLOGY, "comm=%s has no topology", comm.label().c_str());
  }
  if (!topology_of(comm)->neighbours.mutual) {
    return make_error(MPI_ERR_TOPOLOGY, "comm=%s has a graph whose edges do not all lead both ways",
                      comm.label().c_str());
  }
  if (Error error = check_blocks(out, out_names, outdegree(comm))) return error;
  if (Error error = check_blocks(in, in_names, indegree(comm))) return error;
  if (outdegree(comm) == 0 || indegree(comm) == 0) return {};
  return coll::check_apart(out, one_for_all ? 1 : outdegree(comm), in, indegree(comm));
}

void Exchange::keep(coll::KeptNumbers& kept) {
  out.keep(kept, outdegree(comm));
  in.keep(kept, indegree(comm));
}

coll::Task Exchange::run(coll::Operation& operation) const {
  const Neighbours& neighbours = topology_of(comm)->neighbours;
  for (const auto [rank, block] : neighbours.sources) operation.receive(in[block], rank, comm);
  for (const auto [rank, block] : neighbours.destinations) {
    operation.send(out[one_for_all ? 0 : block], rank, comm);
  }
  co_await operation.settled();
}

Error Exchange::find_mismatch(coll::Channel& channel, coll::Round round) const {
  const Neighbours& neighbours = topology_of(comm)->neighbours;
  const coll::CollectiveSignature mine = channel.signature(channel.rank(), round);
  for (const auto* partners : {&neighbours.sources, &neighbours.destinations}) {
    for (const auto [rank, block] : *partners) {
      if (!channel.published(rank, round)) continue;
      if (Error error = coll::compare(channel, rank, round, mine)) return error;
    }
  }
  return {};
}

NeighborAllgather::NeighborAllgather(const void* sendbuf, MPI_Count sendcount,
                                     const Datatype* sendtype, void* recvbuf, MPI_Count recvcount,
                                     const Datatype* recvtype, Communicator& comm)
    : Exchange{coll::Kind::neighbor_allgather,
               comm,
               Blocks(writable(sendbuf), sendcount, sendtype),
               coll::kSend,
               Blocks(recvbuf, recvcount, recvtype),
               coll::kReceive,
               true} {}

NeighborAllgather::NeighborAllgather(const void* sendbuf, MPI_Count sendcount,
                                     const Datatype* sendtype, void* recvbuf, Numbers recvcounts,
                                     Numbers displs, const Datatype* recvtype, Communicator& comm)
    : Exchange{coll::Kind::neighbor_allgatherv,
               comm,
               Blocks(writable(sendbuf), sendcount, sendtype),
               coll::kSend,
               Blocks(recvbuf, recvcounts, displs, recvtype),
               coll::kReceiveListed,
               true} {}

NeighborAlltoall::NeighborAlltoall(const void* sendbuf, MPI_Count sendcount,
                                   const Datatype* sendtype, void* recvbuf, MPI_Count recvcount,
                                   const Datatype* recvtype, Communicator& comm)
    : Exchange{coll::Kind::neighbor_alltoall,
               comm,
               Blocks(writable(sendbuf), sendcount, sendtype),
               coll::kSend,
               Blocks(recvbuf, recvcount, recvtype),
               coll::kReceive,
               false} {}

NeighborAlltoall::NeighborAlltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                                   const Datatype* sendtype, void* recvbuf, Numbers recvcounts,
                                   Numbers rdispls, const Datatype* recvtype, Communicator& comm)
    : Exchange{coll::Kind::neighbor_alltoallv,
               comm,
               Blocks(writable(sendbuf), sendcounts, sdispls, sendtype),
               coll::kSendListed,
               Blocks(recvbuf, recvcounts, rdispls, recvtype),
               coll::kReceiveListed,
               false} {}

NeighborAlltoall::NeighborAlltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                                   const MPI_Datatype* sendtypes, void* recvbuf, Numbers recvcounts,
                                   Numbers rdispls, const MPI_Datatype* recvtypes,
                                   Communicator& comm)
    : Exchange{coll::Kind::neighbor_alltoallv,
               comm,
               Blocks(writable(sendbuf), sendcounts, sdispls, sendtypes, outdegree(comm)),
               {"sendbuf", "sendcounts", "sendtypes"},
               Blocks(recvbuf, recvcounts, rdispls, recvtypes, indegree(comm)),
               {"recvbuf", "recvcounts", "recvtypes"},
               false} {}

}  // namespace atl::topo
