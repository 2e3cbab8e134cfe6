// What a rank calls, in a form that others compare with what they call, so that
// collectives that do not match are reported and neither hang nor corrupt.
#pragma once

#include <cstdint>
#include <string>

#include "datatype/signature.h"
#include "runtime/coll/channel.h"
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

// How a call goes, which must be alike as well. Later: a step of one through the arena
// that is not its first.
enum class Way : std::uint8_t { arena, messages, persistent, later };

// A call of `kind`. `data` is what must be alike everywhere; its count and type
// may differ where the bytes and the type signature are the same.
Called call_of(Kind kind, const Data& data, int root = 0);
Called call_of(Kind kind, const Data& data, const op::Reduction& reduction, int root = 0);
inline Called call_of(Kind kind) { return {static_cast<std::uint64_t>(kind), 0}; }
// The same call, another way.
Called another_way(Called called, Way way);
// Of which nothing but the kind is known.
Called kind_alone(const Called& called);

// Error when both cannot stand in the same collective operation, of which this is the
// first step. It is reported to all members.
Fault compare_with_care(Channel& channel, int rank, Step step, const Called& theirs,
                        const Called& mine);

// Error when a rank that has posted `step` calls something else than this one.
inline Fault compare(Channel& channel, int rank, Step step, const Called& mine) {
  const Called theirs = channel.called(rank, step);
  if (__builtin_expect(theirs == mine, 1)) return {};
  return compare_with_care(channel, rank, step, theirs, mine);
}
inline Fault compare_all(Channel& channel, Step step, const Called& mine) {
  for (int i = 1; i < channel.size(); ++i) {
    if (Fault fault = compare(channel, channel.behind(i), step, mine)) return fault;
  }
  return {};
}

// For a rank that waits for long in the operation with this first step, since what it
// waits for may never come: error when somebody has reported that calls do not match, or
// somebody has posted something else there, or waits in an earlier step for something
// else than what this rank called then.
Fault find_mismatch(Channel& channel, Step step);

}  // namespace atl::coll
