// MPI_Reduce (MPI 5.0, 6.9.1).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/flat_reduction.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Reduce {
  Reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, const Op& op,
         int root, Communicator& comm)
      : comm(comm), root(root), arguments(sendbuf, recvbuf, count, datatype, op) {}
  Error check() const;
  static constexpr const char* kName = "reduce";
  static std::span<const Algorithm<Reduce>> algorithms();
  std::size_t bytes(const Channel&) const { return arguments.contribution().bytes(); }

  Communicator& comm;
  int root;
  ReductionArguments arguments;
};

CollectiveSignature make_signature(const Reduce& call);
CollectiveSignature make_signature_between_groups(const Reduce& call, const Channel& channel);

namespace shared_memory {

struct FlatReduce : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_root;
  FlatReduce(const Reduce& call, Channel& channel);
  void read_contributions(Channel& channel, Round round);
};

Task pipelined_reduce(const Reduce& call, Operation& operation, Ticket ticket);
Task reduce_scatter_gather(const Reduce& call, Operation& operation, Ticket ticket);
Task hierarchical_reduce(const Reduce& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task binomial_reduce(const Reduce& call, Operation& operation);

// As a part of other collectives: `comm` is an intra-communicator. `result` is significant at the
// root alone, and may be the contribution itself. The order in which values are combined depends
// on nothing but the ranks, and is theirs where the operation does not commute.
Task binomial_reduce(Operation& operation, Communicator& comm, Data contribution, Data result,
                     int root, const op::Reduction& reduction);

}  // namespace messages
}  // namespace atl::coll
