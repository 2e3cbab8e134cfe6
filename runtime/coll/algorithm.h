// The algorithms of each collective, and which one an operation takes.
//
// The choice depends on nothing but what all members know alike: the operation,
// how much data it has, how many they are and whether they share cores. So it is
// the same everywhere and in each run, and so are the bits of a reduction.
#pragma once

#include <span>
#include <string_view>

#include "runtime/coll/channel.h"
#include "runtime/coll/operation.h"
#include "runtime/coll/task.h"

namespace atl::coll {

template <class Call>
struct Algorithm {
  const char* name;
  const char* when;  // it is taken, for people

  // Through the arena, or by messages: one of the two.
  Task (*arena)(const Call& call, Operation& operation, Turn turn) = nullptr;
  Task (*messages)(const Call& call, Operation& operation) = nullptr;

  // It can do this call at all; null: any.
  bool (*can)(const Call& call, const Channel& channel) = nullptr;
  // It is the one to take, unless one before it in the table is; null: always.
  bool (*suits)(const Call& call, const Channel& channel) = nullptr;
};

// Call::kName and Call::algorithms() name the table of a collective. The last row
// is by messages and does everything: between groups and for persistent calls too.

// What the program asked for by ATOLL_ALGORITHMS ("allreduce=flat,bcast=tree").
std::string_view wanted_algorithm(std::string_view collective);

template <class Call>
const Algorithm<Call>& pick(const Call& call, const Channel& channel) {
  const std::span<const Algorithm<Call>> rows = Call::algorithms();
  static const std::string_view wanted = wanted_algorithm(Call::kName);
  const auto can = [&](const Algorithm<Call>& row) {
    return (row.arena == nullptr || !channel.none()) &&
           (row.can == nullptr || row.can(call, channel));
  };
  if (__builtin_expect(!wanted.empty(), 0)) {
    for (const auto& row : rows) {
      if (row.name == wanted && can(row)) return row;
    }
  }
  for (const auto& row : rows) {
    if (can(row) && (row.suits == nullptr || row.suits(call, channel))) return row;
  }
  return rows.back();
}

// It is the operation's turn.
template <class Call>
Task begin(const Call& call, Operation& operation, Turn turn) {
  const Algorithm<Call>& row = pick(call, turn.channel());
  return row.arena != nullptr ? row.arena(call, operation, std::move(turn))
                              : row.messages(call, operation);
}

template <class Call>
Task begin_later(const Call& call, Operation& operation, Turn turn) {
  auto come = [&turn](shm::Look) { return turn.come(); };
  co_await operation.until(come);
  co_await begin(call, operation, std::move(turn));
}

// What this process does for the call: there is one way, or a table of them.
template <class Call>
requires requires(const Call& call, Operation& operation) { call.run(operation); }
Task task_of(const Call& call, Operation& operation) { return call.run(operation); }

template <class Call>
Task task_of(const Call& call, Operation& operation) {
  Channel* channel = operation.ordered ? channel_of(call.comm) : nullptr;
  if (channel == nullptr) return Call::algorithms().back().messages(call, operation);
  Turn turn(*channel);
  return turn.come() ? begin(call, operation, std::move(turn))
                     : begin_later(call, operation, std::move(turn));
}

}  // namespace atl::coll
