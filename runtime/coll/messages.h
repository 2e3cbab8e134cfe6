// Collectives by messages: between groups, where there is no arena, and where
// messages are the faster way.
#pragma once

#include "runtime/coll/calls.h"

namespace atl::coll {
namespace messages {

Task barrier(const Barrier& call, Operation& operation);
Task bcast(const Bcast& call, Operation& operation);
Task gather(const Gather& call, Operation& operation);
Task scatter(const Scatter& call, Operation& operation);
Task allgather(const Allgather& call, Operation& operation);
Task alltoall(const Alltoall& call, Operation& operation);
Task reduce(const Reduce& call, Operation& operation);
Task allreduce(const Allreduce& call, Operation& operation);
Task reduce_scatter(const ReduceScatter& call, Operation& operation);
Task scan(const Prefix& call, Operation& operation);

}  // namespace messages

// Parts that several of them are made of, on one group: `comm` is an
// intra-communicator, or the local one of an inter-communicator. Coroutines: what
// they are given by value lives as long as they do.

Task barrier(Operation& operation, Communicator& comm);
Task bcast(Operation& operation, Communicator& comm, Data data, int root);

// `result` counts at the root alone. It may be the contribution itself. The
// order in which values are combined depends on nothing but the ranks, and keeps
// theirs where the operation does not commute.
Task reduce(Operation& operation, Communicator& comm, Data contribution, Data result, int root,
            const op::Reduction& reduction);

}  // namespace atl::coll
