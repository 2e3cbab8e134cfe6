// The neighbourhood collectives (MPI 5.0, 8.6 to 8.9): each a Call, as
// runtime/coll/framework/start.h says, made of the arguments of the MPI function.
#pragma once

#include <mpi.h>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/start.h"
#include "runtime/comm/communicator.h"

namespace atl::topo {

// What they all do: a message over each edge.
struct Exchange {
  Fault check() const;
  void keep(coll::KeptNumbers& kept);
  coll::Task run(coll::Operation& operation) const;
  // With neighbours; what others call nobody here waits for.
  Fault find_mismatch(coll::Channel& channel, coll::Round round) const;

  coll::Kind kind;
  Communicator& comm;
  coll::Blocks out;
  coll::Names out_names;
  coll::Blocks in;
  coll::Names in_names;
  bool one_for_all;  // `out` has one block, for all destinations
};

// How much goes over an edge its two ranks alone agree on: the messages tell.
inline coll::CollectiveSignature make_signature(const Exchange& exchange) {
  return coll::make_signature(exchange.kind);
}

// MPI_Neighbor_allgather and MPI_Neighbor_allgatherv.
struct NeighborAllgather : Exchange {
  NeighborAllgather(const void* sendbuf, MPI_Count sendcount, const coll::Datatype* sendtype,
                    void* recvbuf, MPI_Count recvcount, const coll::Datatype* recvtype,
                    Communicator& comm);
  NeighborAllgather(const void* sendbuf, MPI_Count sendcount, const coll::Datatype* sendtype,
                    void* recvbuf, coll::Numbers recvcounts, coll::Numbers displs,
                    const coll::Datatype* recvtype, Communicator& comm);
};

// MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw.
struct NeighborAlltoall : Exchange {
  NeighborAlltoall(const void* sendbuf, MPI_Count sendcount, const coll::Datatype* sendtype,
                   void* recvbuf, MPI_Count recvcount, const coll::Datatype* recvtype,
                   Communicator& comm);
  NeighborAlltoall(const void* sendbuf, coll::Numbers sendcounts, coll::Numbers sdispls,
                   const coll::Datatype* sendtype, void* recvbuf, coll::Numbers recvcounts,
                   coll::Numbers rdispls, const coll::Datatype* recvtype, Communicator& comm);
  NeighborAlltoall(const void* sendbuf, coll::Numbers sendcounts, coll::Numbers sdispls,
                   const MPI_Datatype* sendtypes, void* recvbuf, coll::Numbers recvcounts,
                   coll::Numbers rdispls, const MPI_Datatype* recvtypes, Communicator& comm);
};

}  // namespace atl::topo
