// Algorithms of many steps in which all give and take. Each rank is one step ahead with
// what it gives, so that the others find it there.
//
// What is given and taken in step number `k` of an operation, which is step `step` of the
// channel, says a class
//   Called called() const;  Step steps() const;
//   std::size_t bytes(Step k) const;               that this rank gives
//   void give(Channel&, Step step, Step k);        puts them there
//   void meanwhile(Step k);                        for itself, while the others read
//   void take(Channel&, Step step, Step k);        all have given
#pragma once

#include "runtime/coll/called.h"
#include "runtime/coll/channel.h"
#include "runtime/coll/operation.h"
#include "runtime/coll/task.h"

namespace atl::coll::arena {

template <class Cells>
Task in_steps(Operation& operation, Turn turn, Cells cells) {
  Channel& channel = turn.channel();
  const Called called = channel.remember(cells.called());
  const Step steps = cells.steps();
  const Step first = turn.take_steps(steps);
  for (Step k = 0; k <= steps; ++k) {
    if (k < steps) {
      auto room = channel.room(first + k, cells.bytes(k));
      co_await operation.until(room);
      cells.give(channel, first + k, k);
      channel.set_called(first + k, k == 0 ? called : Called());
      channel.post(first + k);
      cells.meanwhile(k);
    }
    if (k == 0) continue;
    const Step step = first + k - 1;
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(k == 1 ? first : step - 1);
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    cells.take(channel, step, k - 1);
    channel.leave(step + 1);
  }
}

// For a rank that takes nothing, when only `root` does.
template <class Cells>
Task give_in_steps(Operation& operation, Turn turn, Cells cells, int root) {
  Channel& channel = turn.channel();
  const Called called = channel.remember(cells.called());
  const Step steps = cells.steps();
  const Step first = turn.take_steps(steps);
  for (Step k = 0; k < steps; ++k) {
    auto room = channel.room(first + k, cells.bytes(k));
    co_await operation.until(room);
    cells.give(channel, first + k, k);
    channel.set_called(first + k, k == 0 ? called : Called());
    channel.post(first + k);
    if (k == 0 && channel.posted(root, first)) {
      if (operation.fail(compare(channel, root, first, called))) co_return;
    }
    channel.leave(first + k + 1);  // the root waits for all of us
  }
}

}  // namespace atl::coll::arena
