// MPI_Reduce_scatter_block and MPI_Reduce_scatter (MPI 5.0, 6.10).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/reduction_arguments.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct ReduceScatter {
  ReduceScatter(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                const Op& op, Communicator& comm);
  ReduceScatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                const Op& op, Communicator& comm);
  Error check() const;
  void keep(KeptNumbers& kept) { kept.keep(counts, comm.size()); }
  static constexpr const char* kName = "reduce_scatter";
  static std::span<const Algorithm<ReduceScatter>> algorithms();

  MPI_Count count_of(int rank) const { return listed ? counts[rank] : count; }

  Communicator& comm;
  MPI_Count count = 0;  // for each rank, or
  Numbers counts;       // one each:
  bool listed = false;
  ReductionArguments arguments;
};

CollectiveSignature make_signature(const ReduceScatter& call);
CollectiveSignature make_signature_between_groups(const ReduceScatter& call,
                                                  const Channel& channel);

namespace shared_memory {

Task pipelined_reduce_scatter(const ReduceScatter& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task binomial_reduce_scatter(const ReduceScatter& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
