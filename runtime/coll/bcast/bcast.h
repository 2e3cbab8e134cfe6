// MPI_Bcast (MPI 5.0, 6.4).
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Bcast {
  Bcast(void* buffer, MPI_Count count, const Datatype* datatype, int root, Communicator& comm)
      : comm(comm),
        root(root),
        count(count),
        type(datatype),
        data{buffer, static_cast<std::size_t>(count), datatype} {}
  Error check() const;
  static constexpr const char* kName = "bcast";
  static std::span<const Algorithm<Bcast>> algorithms();
  std::size_t bytes(const Channel&) const { return data.bytes(); }

  Communicator& comm;
  int root;
  MPI_Count count;
  datatype::Reference type;
  Data data;
};

CollectiveSignature make_signature(const Bcast& call);
CollectiveSignature make_signature_between_groups(const Bcast& call, const Channel& channel);

namespace shared_memory {

struct FlatBcast : FlatExchange {
  static constexpr Pattern kPattern = Pattern::root_to_all;
  FlatBcast(const Bcast& call, Channel& channel);
  void write_contribution(Channel& channel, Round round);
  void read_contributions(Channel& channel, Round round);

  const Data& data;
};

Task pipelined_bcast(const Bcast& call, Operation& operation, Ticket ticket);
Task hierarchical_bcast(const Bcast& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task binomial_bcast(const Bcast& call, Operation& operation);
// For use within other collectives: `comm` is an intra-communicator.
Task binomial_bcast(Operation& operation, Communicator& comm, Data data, int root);

}  // namespace messages
}  // namespace atl::coll
