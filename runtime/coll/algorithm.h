// The algorithms of each collective, and which one an operation takes.
//
// The choice depends on nothing but what all members know alike: the operation,
// how much data it has, how many they are and whether they share cores. So it is
// the same everywhere and in each run, and so are the bits of a reduction.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "runtime/coll/called.h"
#include "runtime/coll/channel.h"
#include "runtime/coll/operation.h"
#include "runtime/coll/task.h"
#include "runtime/core/process.h"

namespace atl::coll {

template <class Call>
struct Algorithm {
  const char* name;
  const char* when;  // it is taken, for people

  // Through the arena, or by messages: one of the two. `at_once` does the same as
  // `arena` for a blocking call; null: there is only the task.
  Fault (*at_once)(const Call& call, Turn turn) = nullptr;
  Task (*arena)(const Call& call, Operation& operation, Turn turn) = nullptr;
  Task (*messages)(const Call& call, Operation& operation) = nullptr;

  // It can do this call at all; null: any.
  bool (*can)(const Call& call, const Channel& channel) = nullptr;
  // It is the one to take, unless one before it in the table is; null: always.
  bool (*suits)(const Call& call, const Channel& channel) = nullptr;
};

// Call::kName and Call::algorithms() name the table of a collective. The last row
// is by messages and does everything: between groups and for persistent calls too.

// What the user asked for by ATOLL_ALGORITHMS ("allreduce=flat,bcast=tree").
struct Wanted {
  std::string_view collective;
  std::string_view algorithm;
};
// Takes the first one off the list.
Wanted next_wanted(std::string_view& list);
std::string_view wanted_algorithm(std::string_view collective);

// The row type of a call's table, which may be that of a call it derives from.
template <class Call>
using RowOf = std::remove_cvref_t<decltype(Call::algorithms()[0])>;

template <class Call>
bool can_take(const RowOf<Call>& row, const Call& call, const Channel& channel) {
  return (row.arena == nullptr || channel.open()) && (row.can == nullptr || row.can(call, channel));
}
template <class Call>
bool takes(const RowOf<Call>& row, const Call& call, const Channel& channel) {
  return can_take(row, call, channel) && (row.suits == nullptr || row.suits(call, channel));
}

template <class Call>
const RowOf<Call>& suitable(const Call& call, const Channel& channel) {
  const std::span<const RowOf<Call>> rows = Call::algorithms();
  static const std::string_view wanted = wanted_algorithm(Call::kName);
  if (__builtin_expect(!wanted.empty(), 0)) {
    for (const auto& row : rows) {
      if (row.name == wanted && can_take(row, call, channel)) return row;
    }
  }
  for (const auto& row : rows) {
    if (takes(row, call, channel)) return row;
  }
  return rows.back();
}

// ATOLL_SHOW_ALGORITHMS: rank 0 prints what the collective takes, when it is the first time.
void show_taken(const char* collective, const char* algorithm);

template <class Call>
const RowOf<Call>& pick(const Call& call, const Channel& channel) {
  const RowOf<Call>& row = suitable(call, channel);
  if (__builtin_expect(settings.show_algorithms, 0)) show_taken(Call::kName, row.name);
  return row;
}

// A collective has a table, or does the one thing that its run() says.
template <class Call>
concept HasTable = requires {
  Call::algorithms();
};

template <class Call>
Task messages_of(const Call& call, Operation& operation) {
  if constexpr (HasTable<Call>) {
    return Call::algorithms().back().messages(call, operation);
  } else {
    return call.run(operation);
  }
}

template <class Call>
Called called_in(const Call& call, const Channel& channel, Way way) {
  if constexpr (requires { call_between_groups(call, channel); }) {
    if (channel.between_groups()) return another_way(call_between_groups(call, channel), way);
  }
  return another_way(call_of(call), way);
}

// This rank's entry of a step in which nobody looks at anything else.
void show(Channel& channel, Step step, const Called& called);

// Of two who show what they call one sees it when they do not match: who shows last. A
// call whose messages go to few others looks at those.
template <class Call>
Fault find_mismatch(const Call& call, Channel& channel, Step step) {
  if constexpr (requires { call.find_mismatch(channel, step); }) {
    return call.find_mismatch(channel, step);
  } else {
    return find_mismatch(channel, step);
  }
}

// What goes by messages is shown first, for nobody sees it in them. A persistent one is
// only shown, when it is made.
template <class Call>
Task by_messages(const Call& call, Operation& operation, Turn turn, Way way) {
  Channel& channel = turn.channel();
  const Step step = turn.take_steps(1);
  // Others keep their entries of this step until the next operation: this one may wait for
  // long, and is to find them there.
  if (channel.left() < step) channel.leave(step);
  {
    auto room = channel.room(step, 0);
    co_await operation.until(room);
  }
  show(channel, step, called_in(call, channel, way));
  if (operation.fail(find_mismatch(call, channel, step)) || way == Way::persistent) co_return;
  turn.end();
  co_await messages_of(call, operation);
}

// Of an operation that has failed before it began.
Task no_task();

// It is the operation's turn.
template <class Call>
Task begin(const Call& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  if (channel.none()) return messages_of(call, operation);
  operation.watches(channel, channel.next());
  if (operation.fail(channel.reported(channel.next()))) return no_task();
  if constexpr (HasTable<Call>) {
    const RowOf<Call>& row = pick(call, channel);
    if (row.arena != nullptr) return row.arena(call, operation, std::move(turn));
  }
  return by_messages(call, operation, std::move(turn), Way::messages);
}

template <class Call>
Task begin_later(const Call& call, Operation& operation, Turn turn) {
  auto come = [&turn](shm::Look) { return turn.come(); };
  co_await operation.until(come);
  co_await begin(call, operation, std::move(turn));
}

// The way to do a blocking call without a task. Null when it is not its turn, or
// there is none.
template <class Call>
auto way_at_once(const Call& call, Channel& channel) {
  const RowOf<Call>& first = Call::algorithms().front();  // a short way to what is mostly taken
  if (!channel.idle()) return decltype(first.at_once)();
  if (settings.usual_algorithms && takes(first, call, channel)) return first.at_once;
  return pick(call, channel).at_once;
}

// What this process does for the call.
template <class Call>
Task task_of(const Call& call, Operation& operation) {
  Channel* channel = operation.ordered ? channel_of(call.comm) : nullptr;
  if (channel == nullptr) return messages_of(call, operation);
  Turn turn(*channel);
  return turn.come() ? begin(call, operation, std::move(turn))
                     : begin_later(call, operation, std::move(turn));
}

}  // namespace atl::coll
