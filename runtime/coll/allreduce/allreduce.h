// MPI_Allreduce (MPI 5.0, 6.9.6).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/flat_reduction.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Allreduce {
  Allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
            const Op& op, Communicator& comm)
      : comm(comm), arguments(sendbuf, recvbuf, count, datatype, op) {}
  Error check() const;
  static constexpr const char* kName = "allreduce";
  static std::span<const Algorithm<Allreduce>> algorithms();
  std::size_t bytes(const Channel&) const { return arguments.contribution().bytes(); }

  Communicator& comm;
  ReductionArguments arguments;
};

CollectiveSignature make_signature(const Allreduce& call);

namespace shared_memory {

struct FlatAllreduce : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAllreduce(const Allreduce& call, Channel& channel);
};

Task pipelined_allreduce(const Allreduce& call, Operation& operation, Ticket ticket);
Task reduce_scatter_allgather(const Allreduce& call, Operation& operation, Ticket ticket);
Task hierarchical_allreduce(const Allreduce& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task binomial_allreduce(const Allreduce& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
