// The algorithms of each collective, and the choice between them.
//
// The choice depends only on values that are equal on all members: the operation, its amount of
// data, the number of members, whether ranks share cores, and the job's settings. So all members
// choose the same algorithm in each run, and a reduction has the same bits everywhere.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_settings.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"
#include "runtime/core/process.h"
#include "runtime/p2p/message_settings.h"

namespace atl::coll {

constexpr std::size_t kAnySize = ~std::size_t{0};
constexpr int kAnyRanks = 0x7fffffff;

// The conditions for choosing an algorithm: all that are set must hold. They are data because
// mpiexec --show-algorithms prints them.
struct Limits {
  std::size_t over_bytes = 0;  // Call::bytes() is more than this
  std::size_t up_to_bytes = kAnySize;
  std::size_t up_to_total = kAnySize;  // bytes of all ranks together
  int over_ranks = 0;
  int up_to_ranks = kAnyRanks;
  bool own_cores = false;    // ranks do not share cores
  bool kernel_copy = false;  // the kernel may copy between processes
};

// What must fit into one slot of the collective buffer.
template <class Call>
struct InSlot {
  const char* text = nullptr;  // "the data"; null: not printed, a few bytes for each rank
  std::size_t (*bytes)(const Call& call, const Channel& channel) = nullptr;  // null: nothing
};

template <class Call>
struct Algorithm {
  const char* name;

  // Requirements: the algorithm is incorrect for calls that violate them.
  InSlot<Call> in_slot = {};
  bool equal_blocks = false;       // Call::equal_blocks()
  bool contiguous_values = false;  // Call::arguments.contiguous_values()

  // Chosen within `limits` but not within `except`, if no earlier row of the table is chosen.
  Limits limits = {};
  const Limits* except = nullptr;
  const char* note = nullptr;  // what else a reader of the table should know

  // Exactly one of `shared_memory` (through the collective buffer) and `messages` is set.
  // `blocking` does the same as `shared_memory` for a blocking call, without a task; it may be
  // null.
  Error (*blocking)(const Call& call, Ticket ticket) = nullptr;
  Task (*shared_memory)(const Call& call, Operation& operation, Ticket ticket) = nullptr;
  Task (*messages)(const Call& call, Operation& operation) = nullptr;
};

// Call::kName and Call::algorithms() give the table of a collective (selection_table.cc). The
// last row uses messages and supports every call, in inter-communicators and persistent ones too.

// One assignment of ATOLL_ALGORITHMS ("allreduce=flat,bcast=binomial").
struct Wanted {
  std::string_view collective;
  std::string_view algorithm;
};
// Removes the first assignment from `list` and returns it.
Wanted next_wanted(std::string_view& list);
std::string_view wanted_algorithm(std::string_view collective);

// The row type of a call's table, which may be that of a call it derives from.
template <class Call>
using RowOf = std::remove_cvref_t<decltype(Call::algorithms()[0])>;

template <class Call>
constexpr bool holds(const Limits& limits, const Call& call, const Channel& channel) {
  if (channel.size() <= limits.over_ranks || channel.size() > limits.up_to_ranks) return false;
  if (limits.own_cores && channel.shares_cores()) return false;
  if (limits.kernel_copy && !p2p::settings.single_copy) return false;
  if constexpr (requires { call.bytes(channel); }) {
    if (limits.over_bytes != 0 && call.bytes(channel) <= limits.over_bytes) return false;
    if (limits.up_to_bytes != kAnySize && call.bytes(channel) > limits.up_to_bytes) return false;
    if (limits.up_to_total != kAnySize &&
        call.bytes(channel) * channel.ranks() > limits.up_to_total) {
      return false;
    }
  }
  return true;
}

// Whether the call meets the requirements of the algorithm.
template <class Call>
constexpr bool can_take(const RowOf<Call>& row, const Call& call, const Channel& channel) {
  if (row.shared_memory != nullptr && !channel.open()) return false;
  if constexpr (requires { call.equal_blocks(); }) {
    if (row.equal_blocks && !call.equal_blocks()) return false;
  }
  if constexpr (requires { call.arguments.contiguous_values(); }) {
    if (row.contiguous_values && !call.arguments.contiguous_values()) return false;
  }
  return row.in_slot.bytes == nullptr || row.in_slot.bytes(call, channel) <= channel.slot_bytes();
}
template <class Call>
constexpr bool takes(const RowOf<Call>& row, const Call& call, const Channel& channel) {
  return can_take(row, call, channel) && holds(row.limits, call, channel) &&
         !(row.except != nullptr && holds(*row.except, call, channel));
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

// ATOLL_SHOW_ALGORITHMS: rank 0 prints the algorithm when the collective first chooses it.
void show_taken(const char* collective, const char* algorithm);

template <class Call>
const RowOf<Call>& pick(const Call& call, const Channel& channel) {
  const RowOf<Call>& row = suitable(call, channel);
  if (__builtin_expect(settings.show_algorithms, 0)) show_taken(Call::kName, row.name);
  return row;
}

// A collective without a table has one algorithm, its run().
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
CollectiveSignature signature_in(const Call& call, const Channel& channel, Way way) {
  if constexpr (requires { make_signature_between_groups(call, channel); }) {
    if (channel.between_groups())
      return with_way(make_signature_between_groups(call, channel), way);
  }
  return with_way(make_signature(call), way);
}

// Publishes the signature of this rank's call in a round without data.
void publish_signature(Channel& channel, Round round, const CollectiveSignature& signature);

// Of two ranks with signatures that do not match, the last one to publish finds the mismatch. A
// call that exchanges messages with only a few ranks compares its signature with those.
template <class Call>
Error find_mismatch(const Call& call, Channel& channel, Round round) {
  if constexpr (requires { call.find_mismatch(channel, round); }) {
    return call.find_mismatch(channel, round);
  } else {
    return find_mismatch(channel, round);
  }
}

// Publishes the signature before the messages, which do not carry it. The initialization of a
// persistent call only publishes the signature.
template <class Call>
Task by_messages(const Call& call, Operation& operation, Ticket ticket, Way way) {
  Channel& channel = ticket.channel();
  const Round round = ticket.reserve_rounds(1);
  // Releases the rounds before this one, but not this one: the other members then cannot overwrite
  // their entries of this round, with which a long wait compares this rank's call.
  if (channel.released() < round) channel.release(round);
  {
    auto free_space = channel.free_space(round, 0);
    co_await operation.until(free_space);
  }
  publish_signature(channel, round, signature_in(call, channel, way));
  if (operation.fail(find_mismatch(call, channel, round)) || way == Way::persistent) co_return;
  ticket.release();
  co_await messages_of(call, operation);
}

// The task of an operation that failed before it began.
Task no_task();

// Begins an operation whose ticket is served.
template <class Call>
Task begin(const Call& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  if (channel.none()) return messages_of(call, operation);
  operation.watches(channel, channel.order.next());
  if (operation.fail(channel.reported(channel.order.next()))) return no_task();
  if constexpr (HasTable<Call>) {
    const RowOf<Call>& row = pick(call, channel);
    if (row.shared_memory != nullptr) return row.shared_memory(call, operation, std::move(ticket));
  }
  return by_messages(call, operation, std::move(ticket), Way::messages);
}

template <class Call>
Task begin_when_served(const Call& call, Operation& operation, Ticket ticket) {
  co_await operation.until(ticket);
  co_await begin(call, operation, std::move(ticket));
}

// The function that does a blocking call without a task. Null when earlier operations are under
// way or the algorithm has no such function.
template <class Call>
auto blocking_algorithm(const Call& call, Channel& channel) {
  const RowOf<Call>& first = Call::algorithms().front();  // tried first: usually chosen
  if (!channel.idle()) return decltype(first.blocking)();
  if (settings.usual_algorithms && takes(first, call, channel)) return first.blocking;
  return pick(call, channel).blocking;
}

// The task of the call on this rank.
template <class Call>
Task task_of(const Call& call, Operation& operation) {
  Channel* channel = operation.ordered ? channel_of(call.comm) : nullptr;
  if (channel == nullptr) return messages_of(call, operation);
  Ticket ticket(*channel);
  return ticket.served() ? begin(call, operation, std::move(ticket))
                         : begin_when_served(call, operation, std::move(ticket));
}

}  // namespace atl::coll
