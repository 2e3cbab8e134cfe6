#include "runtime/coll/reduce_scatter/reduce_scatter.h"

#include <string>

namespace atl::coll {
namespace {

MPI_Count sum_of(Numbers counts, int ranks) {
  MPI_Count sum = 0;
  for (int rank = 0; !counts.null() && rank < ranks; ++rank) sum += counts[rank];
  return sum;
}

}  // namespace

ReduceScatter::ReduceScatter(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                             MPI_Datatype datatype, const Op& op, Communicator& comm)
    : comm(comm),
      count(recvcount),
      arguments(sendbuf, recvbuf, recvcount * comm.size(), datatype, op) {}

ReduceScatter::ReduceScatter(const void* sendbuf, void* recvbuf, Numbers recvcounts,
                             MPI_Datatype datatype, const Op& op, Communicator& comm)
    : comm(comm),
      counts(recvcounts),
      listed(true),
      arguments(sendbuf, recvbuf, sum_of(recvcounts, comm.size()), datatype, op) {}

Error ReduceScatter::check() const {
  if (listed && counts.null()) return make_error(MPI_ERR_ARG, "recvcounts is a null pointer");
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (count_of(rank) >= 0) continue;
    return make_error(MPI_ERR_COUNT, "%s=%lld is negative",
                      listed ? ("recvcounts[" + std::to_string(rank) + "]").c_str() : "recvcount",
                      static_cast<long long>(count_of(rank)));
  }
  const MPI_Count own = count_of(comm.rank());
  return arguments.check(true, own != 0, own);
}

CollectiveSignature make_signature(const ReduceScatter& call) {
  const Kind kind = call.listed ? Kind::reduce_scatter : Kind::reduce_scatter_block;
  const CollectiveSignature signature =
      make_signature(kind, call.arguments.contribution(), call.arguments.reduction());
  if (!call.listed) return signature;
  return with_counts(signature, call.comm.size(),
                     [&](int rank) { return static_cast<std::size_t>(call.count_of(rank)); });
}

// The two groups have the same amount of data, but their counts may differ.
CollectiveSignature make_signature_between_groups(const ReduceScatter& call, const Channel&) {
  return make_signature(call.listed ? Kind::reduce_scatter : Kind::reduce_scatter_block,
                        call.arguments.contribution(), call.arguments.reduction());
}

}  // namespace atl::coll
