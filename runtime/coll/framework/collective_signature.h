// The signature of a collective call. Members compare signatures, so that calls that do not match
// are reported and neither hang nor corrupt data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "datatype/signature.h"
#include "runtime/coll/framework/channel.h"
#include "runtime/core/error.h"
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

// How a call exchanges its data, which must also be equal on all members. later: a round through
// the collective buffer that is not the first of its call.
enum class Way : std::uint8_t { shared_memory, messages, persistent, later };

// `data` must have the same number of bytes and the same type signature on all members; its count
// and type may differ.
CollectiveSignature make_signature(Kind kind, const Data& data, int root = 0);
CollectiveSignature make_signature(Kind kind, const Data& data, const op::Reduction& reduction,
                                   int root = 0);
inline CollectiveSignature make_signature(Kind kind) {
  return {static_cast<std::uint64_t>(kind), 0};
}
// Adds a check sum of 16 bits, never 0, of the array of counts, which must be equal on all ranks.
// It takes the bits of the root.
CollectiveSignature with_counts(CollectiveSignature signature, int ranks,
                                const std::function<std::size_t(int rank)>& count);
// Sets the way of a signature that has none yet.
CollectiveSignature with_way(CollectiveSignature signature, Way way);
// Keeps only the kind.
CollectiveSignature only_kind(const CollectiveSignature& signature);

// Error when `theirs`, which `rank` published in `round`, and `mine` do not belong to the same
// collective operation. Reports it to all members.
Error compare_slow_path(Channel& channel, int rank, Round round, const CollectiveSignature& theirs,
                        const CollectiveSignature& mine);

// Error when the call of `rank`, which has published `round`, does not match this rank's.
inline Error compare(Channel& channel, int rank, Round round, const CollectiveSignature& mine) {
  const CollectiveSignature theirs = channel.signature(rank, round);
  if (__builtin_expect(theirs == mine, 1)) return {};
  return compare_slow_path(channel, rank, round, theirs, mine);
}
inline Error compare_all(Channel& channel, Round round, const CollectiveSignature& mine) {
  for (int i = 1; i < channel.size(); ++i) {
    if (Error error = compare(channel, channel.behind(i), round, mine)) return error;
  }
  return {};
}

// For a rank that waits long in the operation whose first round is `round`: its partners may never
// arrive. Error when a member has reported a mismatch, has published another call in that round,
// or is still in an earlier round in which its call does not match this rank's.
Error find_mismatch(Channel& channel, Round round);

}  // namespace atl::coll
