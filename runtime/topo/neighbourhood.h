// The neighbourhood collectives (MPI 5.0, 8.6 to 8.9). Each is a Call (see
// runtime/coll/framework/start.h), constructed from the arguments of the MPI function.
#pragma once

#include <mpi.h>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/start.h"
#include "runtime/comm/communicator.h"

namespace atl::topo {

// All of them send one message along each edge.
struct Exchange {
  Error check() const;
  void keep(coll::KeptNumbers& kept);
  coll::Task run(coll::Operation& operation) const;
  // Compares only with neighbours: this rank waits for no others.
  Error find_mismatch(coll::Channel& channel, coll::Round round) const;

  coll::Kind kind;
  Communicator& comm;
  coll::Blocks out;
  coll::Names out_names;
  coll::Blocks in;
  coll::Names in_names;
  bool one_for_all;  // `out` has one block, for all destinations
};

// Only the kind: the number of bytes must be equal only at the two ends of an edge, and the
// messages check that.
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
