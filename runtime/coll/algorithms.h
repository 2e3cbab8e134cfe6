// Parts that several collectives are made of, on one group: `comm` is an
// intra-communicator, or the local one of an inter-communicator. Coroutines: what
// they are given by value lives as long as they do.
#pragma once

#include "runtime/coll/data.h"
#include "runtime/coll/operation.h"
#include "runtime/coll/task.h"
#include "runtime/op/op.h"

namespace atl::coll {

Task barrier(Operation& operation, Communicator& comm);
Task bcast(Operation& operation, Communicator& comm, Data data, int root);

// `result` counts at the root alone. It may be the contribution itself. The
// order in which values are combined depends on nothing but the ranks, and keeps
// theirs where the operation does not commute.
Task reduce(Operation& operation, Communicator& comm, Data contribution, Data result, int root,
            const op::Reduction& reduction);

// No data, for messages that only say that their sender is there.
Data nothing();

}  // namespace atl::coll
