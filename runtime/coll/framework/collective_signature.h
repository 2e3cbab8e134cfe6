// What a rank calls, in a form that the others compare with what they call, so that
// collectives that do not match are reported and neither hang nor corrupt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "datatype/signature.h"
#include "runtime/coll/framework/channel.h"
#include "runtime/core/fault.h"
#include "runtime/op/op.h"

namespace atl::coll {

enum class Kind : std::uint8_t {
  barrier = 1,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
  allgatherv,
  gatherv,
  scatterv,
  alltoallv,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
};

// How a call exchanges its data, which must be equal as well. later: a round through the
// collective buffer that is not the first one of its call.
enum class Way : std::uint8_t { shared_memory, messages, persistent, later };

// A call of `kind`. `data` is what must be equal everywhere; its count and type may differ where
// the bytes and the type signature are the same.
CollectiveSignature make_signature(Kind kind, const Data& data, int root = 0);
CollectiveSignature make_signature(Kind kind, const Data& data, const op::Reduction& reduction,
                                   int root = 0);
inline CollectiveSignature make_signature(Kind kind) {
  return {static_cast<std::uint64_t>(kind), 0};
}
// With a check sum of 16 bits, never 0, of the counts that all ranks must give alike; it has the
// place of the root.
CollectiveSignature with_counts(CollectiveSignature signature, int ranks,
                                const std::function<std::size_t(int rank)>& count);
// The same call, another way.
CollectiveSignature with_way(CollectiveSignature signature, Way way);
// Of which nothing but the kind is known.
CollectiveSignature only_kind(const CollectiveSignature& signature);

// Error when the two cannot belong to the same collective operation, of which this is the first
// round. It is reported to all members.
Fault compare_slow_path(Channel& channel, int rank, Round round, const CollectiveSignature& theirs,
                        const CollectiveSignature& mine);

// Error when a rank that has published `round` calls something else than this one.
inline Fault compare(Channel& channel, int rank, Round round, const CollectiveSignature& mine) {
  const CollectiveSignature theirs = channel.signature(rank, round);
  if (__builtin_expect(theirs == mine, 1)) return {};
  return compare_slow_path(channel, rank, round, theirs, mine);
}
inline Fault compare_all(Channel& channel, Round round, const CollectiveSignature& mine) {
  for (int i = 1; i < channel.size(); ++i) {
    if (Fault fault = compare(channel, channel.behind(i), round, mine)) return fault;
  }
  return {};
}

// For a rank that waits for long in the operation with this first round, since what it waits for
// may never come. Error when a member has reported a mismatch, has published something else in
// that round, or waits in an earlier round for something else than what this rank called then.
Fault find_mismatch(Channel& channel, Round round);

}  // namespace atl::coll
