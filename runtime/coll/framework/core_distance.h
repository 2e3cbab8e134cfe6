// The cache-line latency between the cores of the ranks, for long data: where it is low the
// collective buffer is faster, where it is high a single copy by the kernel.
#pragma once

#include <utility>

#include "runtime/coll/framework/algorithm.h"

namespace atl::coll::shared_memory {

// A round in which every rank publishes whether it found the latency high the last time, and
// measures it again. All find the same.
Task find_distance(Operation& operation, Ticket& ticket, const CollectiveSignature& call,
                   bool& far);

// Through the collective buffer, or by messages where the cores are far from one another.
template <class Call, Task (*pipelined)(const Call&, Operation&, Ticket)>
Task pipelined_if_near(const Call& call, Operation& operation, Ticket ticket) {
  bool far = false;
  co_await find_distance(operation, ticket, make_signature(call), far);
  if (operation.failed()) co_return;
  if (!far) {
    co_await pipelined(call, operation, std::move(ticket));
    co_return;
  }
  ticket.release();
  co_await Call::algorithms().back().messages(call, operation);
}

}  // namespace atl::coll::shared_memory
