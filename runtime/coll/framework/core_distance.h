// Chooses by the cache-line latency between the cores of the ranks, for long data: the collective
// buffer is faster where it is low, a single copy by the kernel where it is high.
#pragma once

#include <utility>

#include "runtime/coll/framework/algorithm.h"

namespace atl::coll::shared_memory {

// A round in which every rank publishes whether its previous measurement of the latency was high,
// and measures it again. `far` is true on all ranks if it was high on any.
Task find_distance(Operation& operation, Ticket& ticket, const CollectiveSignature& call,
                   bool& far);

// `pipelined` through the collective buffer, or messages where the cores are far apart.
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
