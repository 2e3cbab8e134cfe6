// MPI_Gather and MPI_Gatherv (MPI 5.0, 6.5). The root's blocks are `all`.
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Gather {
  Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
         MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm);
  Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
         Numbers recvcounts, Numbers displs, const Datatype* recvtype, int root,
         Communicator& comm);
  Error check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "gather";
  static std::span<const Algorithm<Gather>> algorithms();

  bool equal_blocks() const { return all.alike(); }
  // This rank's block, in an intra-communicator. With MPI_IN_PLACE the root's is in `all`.
  Data own() const { return mine.in_place() && comm.rank() == root ? all[root] : mine[0]; }

  Communicator& comm;
  int root;
  Blocks mine;  // only block 0
  Blocks all;
  Names names;
};

CollectiveSignature make_signature(const Gather& call);
CollectiveSignature make_signature_between_groups(const Gather& call, const Channel& channel);

namespace shared_memory {

struct FlatGather : FlatExchange {
  static constexpr Pattern kPattern = Pattern::all_to_root;
  FlatGather(const Gather& call, Channel& channel);
  void write_contribution(Channel& channel, Round round);
  void overlapped_work();
  void read_contributions(Channel& channel, Round round);

  const Gather& call;
  Data own;
};

}  // namespace shared_memory

namespace messages {

Task linear_gather(const Gather& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
