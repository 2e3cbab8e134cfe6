// Algorithms that take one step: each rank gives what others need, waits for those
// whose data it needs, and takes them. Blocking calls do so without a task, which
// costs more than the exchange of a few bytes.
//
// Such a way to do a call derives from Flat, is made of the call and the channel, and has
//   static constexpr Pattern kPattern;
// It sets the members of Flat and hides those functions in which it has something to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/coll/called.h"
#include "runtime/coll/channel.h"
#include "runtime/coll/operation.h"
#include "runtime/coll/task.h"
#include "runtime/p2p/engine.h"

namespace atl::coll::arena {

// Who waits for whom.
enum class Pattern : std::uint8_t { all_to_all, all_to_root, root_to_all };

struct Flat {
  Called called;             // for comparison
  int root = MPI_PROC_NULL;  // if there is one
  std::size_t bytes = 0;     // that this rank gives
  std::size_t next = 0;      // that it would as another rank: it may be that the next time

  void give(Channel&, Step) {}  // puts this rank's data there
  void meanwhile() {}           // what nobody else waits for
  void take(Channel&, Step) {}  // those that this rank waits for have posted
};

template <class Way>
class OneStep {
 public:
  template <class Call>
  OneStep(const Call& call, Turn& turn)
      : channel_(turn.channel()),
        step_(turn.take_steps(1)),
        way_(call, channel_),
        all_posted_(channel_, step_) {
    if constexpr (Way::kPattern == Pattern::all_to_all) {
      way_.called = channel_.with_past(way_.called);
    } else {
      way_.called = channel_.remember(way_.called);
    }
  }

  Channel::Room room() const { return channel_.room(step_, way_.bytes); }

  // When there is room.
  void give() {
    way_.give(channel_, step_);
    channel_.set_called(step_, way_.called);
    if constexpr (Way::kPattern != Pattern::root_to_all) {
      channel_.post(step_);
    } else if (is_root()) {
      channel_.post_alone(step_);
    } else {
      channel_.show(step_);
    }
    channel_.prepare(step_ + 1, std::max(way_.bytes, way_.next));
    way_.meanwhile();
  }

  // Those that this rank waits for have posted.
  bool operator()(shm::Look look) {
    if constexpr (Way::kPattern == Pattern::root_to_all) {
      return is_root() || channel_.posted(way_.root, step_);
    } else {
      return !awaits_all() || all_posted_(look);
    }
  }

  Fault take() {
    if constexpr (Way::kPattern == Pattern::all_to_root) {
      if (is_root()) channel_.fetch(channel_.behind(1), step_, way_.next);
    }
    if (Fault fault = compare_calls()) return fault;
    way_.take(channel_, step_);
    return {};
  }

 private:
  bool is_root() const { return channel_.rank() == way_.root; }
  bool awaits_all() const {
    if constexpr (Way::kPattern == Pattern::all_to_all) return true;
    return is_root();
  }

  // With those that this rank waited for; or with the root if that is here already.
  Fault compare_calls() {
    if constexpr (Way::kPattern == Pattern::root_to_all) {
      if (is_root()) return {};
    } else {
      if (awaits_all()) {
        channel_.all_left(step_);
        return compare_all(channel_, step_, way_.called);
      }
      if (!channel_.posted(way_.root, step_)) return {};
    }
    return compare(channel_, way_.root, step_, way_.called);
  }

  Channel& channel_;
  Step step_;
  Way way_;
  Channel::AllPosted all_posted_;
};

// As a task, for whoever cannot wait here.
template <class Way, class Call>
Task in_one_step(const Call& call, Operation& operation, Turn turn) {
  OneStep<Way> step(call, turn);
  auto room = step.room();
  co_await operation.until(room);
  step.give();
  co_await operation.until(step);
  operation.fail(step.take());
}

// Polls a little, then as all waits in MPI, with progress and sleep. Error when what
// it waits for does not come because others call something else.
Fault wait_long(Channel& channel, bool (*come)(void* condition, shm::Look look), void* condition);

template <class Condition>
Fault wait_until(Channel& channel, Condition& condition) {
  constexpr int kPolls = 64;  // about a microsecond
  if (condition(shm::Look::quick)) return {};
  for (int poll = 0; channel.may_spin() && poll < kPolls; ++poll) {
    shm::relax();
    if (condition(shm::Look::quick)) return {};
  }
  const auto come = [](void* condition, shm::Look look) {
    return (*static_cast<Condition*>(condition))(look);
  };
  return wait_long(channel, come, &condition);
}

// The blocking call.
template <class Way, class Call>
Fault at_once(const Call& call, Turn turn) {
  OneStep<Way> step(call, turn);
  auto room = step.room();
  if (Fault fault = wait_until(turn.channel(), room)) return fault;
  step.give();
  if (Fault fault = wait_until(turn.channel(), step)) return fault;
  if (Fault fault = step.take()) return fault;
  p2p::engine->poll_now_and_then();
  return {};
}

}  // namespace atl::coll::arena
