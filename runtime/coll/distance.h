// How far the cores of the ranks are from one another, for long data: between near ones
// it is faster through cells, between far ones by the kernel's copy.
#pragma once

#include <utility>

#include "runtime/coll/algorithm.h"

namespace atl::coll::arena {

// A step in which all say how far they found the others the last time, and measure it
// anew. All find the same.
Task find_distance(Operation& operation, Turn& turn, const Called& call, bool& far);

// Through the arena, or if that is far by messages.
template <class Call, Task (*cells)(const Call&, Operation&, Turn)>
Task cells_if_near(const Call& call, Operation& operation, Turn turn) {
  bool far = false;
  co_await find_distance(operation, turn, call_of(call), far);
  if (operation.failed()) co_return;
  if (!far) {
    co_await cells(call, operation, std::move(turn));
    co_return;
  }
  turn.end();
  co_await Call::algorithms().back().messages(call, operation);
}

}  // namespace atl::coll::arena
