// The algorithms of each collective, and which one an operation takes.
//
// The choice depends on nothing but what all members know alike: the operation, how much data it
// has, how many members there are and whether they share cores. So it is the same everywhere and
// in each run, and so are the bits of a reduction.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"
#include "runtime/core/process.h"

namespace atl::coll {

constexpr std::size_t kAnySize = ~std::size_t{0};
constexpr int kAnyRanks = 0x7fffffff;

// When an algorithm is the one to take: all that are given must hold. mpiexec --show-algorithms
// prints them, so they are data.
struct Limits {
  std::size_t over_bytes = 0;  // the call has more than that (Call::bytes())
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

  // What the call must be like, or it cannot be done this way.
  InSlot<Call> in_slot = {};
  bool equal_blocks = false;       // Call::equal_blocks()
  bool contiguous_values = false;  // Call::arguments.contiguous_values()

  // It is taken within `limits`, but not within `except`, unless an earlier row of the table is.
  Limits limits = {};
  const Limits* except = nullptr;
  const char* note = nullptr;  // what else a reader of the table should know

  // Through the collective buffer, or by messages: one of the two. `blocking` does the same as
  // `shared_memory` for a blocking call, without a task; null: there is only the task.
  Fault (*blocking)(const Call& call, Ticket ticket) = nullptr;
  Task (*shared_memory)(const Call& call, Operation& operation, Ticket ticket) = nullptr;
  Task (*messages)(const Call& call, Operation& operation) = nullptr;
};

// Call::kName and Call::algorithms() name the table of a collective (selection_table.cc). The
// last row is by messages and can do every call: between groups and persistent ones too.

// What the user asked for by ATOLL_ALGORITHMS ("allreduce=flat,bcast=binomial").
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
constexpr bool holds(const Limits& limits, const Call& call, const Channel& channel) {
  if (channel.size() <= limits.over_ranks || channel.size() > limits.up_to_ranks) return false;
  if (limits.own_cores && channel.shares_cores()) return false;
  if (limits.kernel_copy && !settings.single_copy) return false;
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

// Whether the call can be done this way at all.
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
CollectiveSignature signature_in(const Call& call, const Channel& channel, Way way) {
  if constexpr (requires { make_signature_between_groups(call, channel); }) {
    if (channel.between_groups())
      return with_way(make_signature_between_groups(call, channel), way);
  }
  return with_way(make_signature(call), way);
}

// Publishes what this rank calls in a round that has nothing else in it.
void publish_signature(Channel& channel, Round round, const CollectiveSignature& signature);

// Of two ranks that publish signatures that do not match the one that publishes last finds it. A
// call that exchanges messages with few others compares with those.
template <class Call>
Fault find_mismatch(const Call& call, Channel& channel, Round round) {
  if constexpr (requires { call.find_mismatch(channel, round); }) {
    return call.find_mismatch(channel, round);
  } else {
    return find_mismatch(channel, round);
  }
}

// By messages: the signature is published first, since the messages do not carry it. A
// persistent call, when it is made, does nothing else.
template <class Call>
Task by_messages(const Call& call, Operation& operation, Ticket ticket, Way way) {
  Channel& channel = ticket.channel();
  const Round round = ticket.reserve_rounds(1);
  // The others keep their entries of this round until their next operation, and this one, which
  // may wait for long, is to find them there.
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

// Of an operation that has failed before it began.
Task no_task();

// The operation's ticket is served.
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

// The function that does a blocking call without a task. Null when other operations come first,
// or the algorithm has none.
template <class Call>
auto blocking_algorithm(const Call& call, Channel& channel) {
  const RowOf<Call>& first = Call::algorithms().front();  // tried first: it is mostly taken
  if (!channel.idle()) return decltype(first.blocking)();
  if (settings.usual_algorithms && takes(first, call, channel)) return first.blocking;
  return pick(call, channel).blocking;
}

// What this process does for the call.
template <class Call>
Task task_of(const Call& call, Operation& operation) {
  Channel* channel = operation.ordered ? channel_of(call.comm) : nullptr;
  if (channel == nullptr) return messages_of(call, operation);
  Ticket ticket(*channel);
  return ticket.served() ? begin(call, operation, std::move(ticket))
                         : begin_when_served(call, operation, std::move(ticket));
}

}  // namespace atl::coll
