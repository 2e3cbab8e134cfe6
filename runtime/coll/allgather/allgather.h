// MPI_Allgather and MPI_Allgatherv (MPI 5.0, 6.7).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Allgather {
  Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            MPI_Count recvcount, const Datatype* recvtype, Communicator& comm);
  Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            Numbers recvcounts, Numbers displs, const Datatype* recvtype, Communicator& comm);
  Error check() const;
  void keep(KeptNumbers& kept) { all.keep(kept, comm.peers()); }
  static constexpr const char* kName = "allgather";
  static std::span<const Algorithm<Allgather>> algorithms();

  std::size_t bytes(const Channel& channel) const { return all.most_bytes(channel.size()); }
  // This rank's block, in an intra-communicator.
  Data own() const { return mine.in_place() ? all[comm.rank()] : mine[0]; }

  Communicator& comm;
  Blocks mine;  // only block 0
  Blocks all;
  Names names;
};

CollectiveSignature make_signature(const Allgather& call);
CollectiveSignature make_signature_between_groups(const Allgather& call, const Channel& channel);

namespace shared_memory {

struct FlatAllgather : FlatExchange {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAllgather(const Allgather& call, Channel& channel);
  void write_contribution(Channel& channel, Round round);
  void overlapped_work();
  void read_contributions(Channel& channel, Round round);

  const Allgather& call;
  Data own;
};

Task pipelined_allgather(const Allgather& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task linear_allgather(const Allgather& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
