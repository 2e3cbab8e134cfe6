// MPI_Barrier (MPI 5.0, 6.3).
#pragma once

#include <span>

#include "runtime/coll/framework/one_round.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Barrier {
  explicit Barrier(Communicator& comm) : comm(comm) {}
  Error check() const { return {}; }
  static constexpr const char* kName = "barrier";
  static std::span<const Algorithm<Barrier>> algorithms();

  Communicator& comm;
};

inline CollectiveSignature make_signature(const Barrier&) { return make_signature(Kind::barrier); }

namespace shared_memory {

struct FlatBarrier : FlatExchange {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatBarrier(const Barrier& call, Channel&) { signature = make_signature(call); }
};

Task hierarchical_barrier(const Barrier& call, Operation& operation, Ticket ticket);

}  // namespace shared_memory

namespace messages {

Task dissemination_barrier(const Barrier& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
