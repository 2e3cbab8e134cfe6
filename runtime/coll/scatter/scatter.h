// MPI_Scatter and MPI_Scatterv (MPI 5.0, 6.6). The root's blocks are `all`.
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Scatter {
  Scatter(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
          MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm);
  Scatter(const void* sendbuf, Numbers sendcounts, Numbers displs, const Datatype* sendtype,
          void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, int root,
          Communicator& comm);
  Error check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "scatter";
  static std::span<const Algorithm<Scatter>> algorithms();

  bool equal_blocks() const { return all.alike(); }
  // This rank's block, in an intra-communicator. With MPI_IN_PLACE the root's is in `all`.
  Data own() const { return mine.in_place() && comm.rank() == root ? all[root] : mine[0]; }

  Communicator& comm;
  int root;
  Blocks all;
  Blocks mine;  // only block 0
  Names names;
};

CollectiveSignature make_signature(const Scatter& call);
CollectiveSignature make_signature_between_groups(const Scatter& call, const Channel& channel);

namespace shared_memory {

struct FlatScatter : FlatExchange {
  static constexpr Pattern kPattern = Pattern::root_to_all;
  FlatScatter(const Scatter& call, Channel& channel);
  void write_contribution(Channel& channel, Round round);
  void overlapped_work();
  void read_contributions(Channel& channel, Round round);

  const Scatter& call;
  Data own;
  std::size_t block;  // bytes
};

}  // namespace shared_memory

namespace messages {

Task linear_scatter(const Scatter& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
