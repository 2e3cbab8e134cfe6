// A reduction of values longer than a buffer slot in which each rank reduces a part of every slot,
// so that no rank reads all values: a reduce-scatter, then a gather or an allgather of the parts.
#pragma once

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/reduction_arguments.h"
#include "runtime/coll/framework/task.h"

namespace atl::coll::shared_memory {

constexpr int kAllGetResult = -1;  // in place of a root

Task reduce_by_parts(Operation& operation, Ticket ticket, const ReductionArguments& arguments,
                     CollectiveSignature call, int root);

}  // namespace atl::coll::shared_memory
