// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw (MPI 5.0, 6.8).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Alltoall {
  Alltoall(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
           MPI_Count recvcount, const Datatype* recvtype, Communicator& comm);
  Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const Datatype* sendtype,
           void* recvbuf, Numbers recvcounts, Numbers rdispls, const Datatype* recvtype,
           Communicator& comm);
  Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const MPI_Datatype* sendtypes,
           void* recvbuf, Numbers recvcounts, Numbers rdispls, const MPI_Datatype* recvtypes,
           Communicator& comm);
  Error check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "alltoall";
  static std::span<const Algorithm<Alltoall>> algorithms();

  std::size_t bytes(const Channel& channel) const { return in[channel.rank()].bytes(); }
  bool equal_blocks() const { return in.alike(); }
  // The blocks that this rank sends.
  const Blocks& sent() const { return out.in_place() ? in : out; }

  Communicator& comm;
  Blocks out;
  Blocks in;
  Names out_names;
  Names in_names;
};

CollectiveSignature make_signature(const Alltoall& call);
CollectiveSignature make_signature_between_groups(const Alltoall& call, const Channel& channel);

namespace shared_memory {

struct FlatAlltoall : FlatExchange {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAlltoall(const Alltoall& call, Channel& channel);
  void write_contribution(Channel& channel, Round round);
  void overlapped_work();
  void read_contributions(Channel& channel, Round round);

  const Alltoall& call;
  std::size_t block;  // bytes
};

Task pipelined_alltoall(const Alltoall& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task linear_alltoall(const Alltoall& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
