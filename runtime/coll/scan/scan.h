// MPI_Scan and MPI_Exscan (MPI 5.0, 6.11).
#pragma once

#include <mpi.h>

#include <span>
#include <utility>

#include "runtime/coll/framework/flat_reduction.h"
#include "runtime/coll/framework/start.h"

namespace atl::coll {

struct Prefix {
  Prefix(bool exclusive, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
         const Op& op, Communicator& comm)
      : exclusive(exclusive), comm(comm), arguments(sendbuf, recvbuf, count, datatype, op) {}
  Error check() const;
  static constexpr const char* kName = "scan";
  static std::span<const Algorithm<Prefix>> algorithms();
  std::size_t bytes(const Channel&) const { return arguments.contribution().bytes(); }

  bool exclusive;
  Communicator& comm;
  ReductionArguments arguments;
};
struct Scan : Prefix {
  template <class... Arguments>
  explicit Scan(Arguments&&... arguments) : Prefix(false, std::forward<Arguments>(arguments)...) {}
};
struct Exscan : Prefix {
  template <class... Arguments>
  explicit Exscan(Arguments&&... arguments) : Prefix(true, std::forward<Arguments>(arguments)...) {}
};

CollectiveSignature make_signature(const Prefix& call);

namespace shared_memory {

struct FlatScan : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatScan(const Prefix& call, Channel& channel);
};

}  // namespace shared_memory

namespace messages {

Task linear_scan(const Prefix& call, Operation& operation);

}  // namespace messages
}  // namespace atl::coll
