// Algorithms of one round ("flat"): each rank writes what others need, waits for those whose data
// it needs, and reads it. A blocking call does so without a task, which would cost more than the
// exchange of a few bytes.
//
// Such an algorithm is a class that derives from FlatExchange, is made of the call and the
// channel, and has
//   static constexpr Pattern kPattern;
// It sets the members of FlatExchange and hides those functions in which it has something to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"
#include "runtime/p2p/engine.h"

namespace atl::coll::shared_memory {

// Who waits for whom.
enum class Pattern : std::uint8_t { all_to_all, all_to_root, root_to_all };

struct FlatExchange {
  CollectiveSignature signature;
  int root = MPI_PROC_NULL;    // if there is one
  std::size_t bytes = 0;       // that this rank contributes
  std::size_t next_bytes = 0;  // likely to be those of the next call: of another rank of this one

  void write_contribution(Channel&, Round) {}
  void overlapped_work() {}                    // for this rank alone, while it would wait
  void read_contributions(Channel&, Round) {}  // those that this rank waits for have published
};

template <class Exchange>
class OneRound {
 public:
  template <class Call>
  OneRound(const Call& call, Ticket& ticket)
      : channel_(ticket.channel()),
        round_(ticket.reserve_rounds(1)),
        exchange_(call, channel_),
        all_published_(channel_, round_) {
    CallHistory& history = channel_.history;
    if constexpr (Exchange::kPattern == Pattern::all_to_all) {
      exchange_.signature = history.with_history(exchange_.signature);
    } else {
      exchange_.signature = history.remember(exchange_.signature);
    }
  }

  Channel::FreeSpace free_space() const { return channel_.free_space(round_, exchange_.bytes); }

  // Once there is free space.
  void write_contribution() {
    exchange_.write_contribution(channel_, round_);
    channel_.set_signature(round_, exchange_.signature);
    if constexpr (Exchange::kPattern != Pattern::root_to_all) {
      channel_.publish(round_);
    } else if (is_root()) {
      channel_.publish_awaited(round_);
    } else {
      channel_.publish_unawaited(round_);
    }
    channel_.prefetch_own(round_ + 1, std::max(exchange_.bytes, exchange_.next_bytes));
    exchange_.overlapped_work();
  }

  // Whether those that this rank waits for have published.
  bool operator()(shm::Look look) {
    if constexpr (Exchange::kPattern == Pattern::root_to_all) {
      return is_root() || channel_.published(exchange_.root, round_);
    } else {
      return !awaits_all() || all_published_(look);
    }
  }

  Fault read_contributions() {
    if constexpr (Exchange::kPattern == Pattern::all_to_root) {
      if (is_root()) channel_.prefetch(channel_.behind(1), round_, exchange_.next_bytes);
    }
    if (Fault fault = compare_calls()) return fault;
    exchange_.read_contributions(channel_, round_);
    return {};
  }

 private:
  bool is_root() const { return channel_.rank() == exchange_.root; }
  bool awaits_all() const {
    if constexpr (Exchange::kPattern == Pattern::all_to_all) return true;
    return is_root();
  }

  // With those that this rank waited for; or with the root if that has published already.
  Fault compare_calls() {
    if constexpr (Exchange::kPattern == Pattern::root_to_all) {
      if (is_root()) return {};
    } else {
      if (awaits_all()) {
        channel_.note_all_released(round_);
        return compare_all(channel_, round_, exchange_.signature);
      }
      if (!channel_.published(exchange_.root, round_)) return {};
    }
    return compare(channel_, exchange_.root, round_, exchange_.signature);
  }

  Channel& channel_;
  Round round_;
  Exchange exchange_;
  Channel::AllPublished all_published_;
};

// As a task, for calls that cannot wait here.
template <class Exchange, class Call>
Task in_one_round(const Call& call, Operation& operation, Ticket ticket) {
  OneRound<Exchange> round(call, ticket);
  auto free_space = round.free_space();
  co_await operation.until(free_space);
  round.write_contribution();
  co_await operation.until(round);
  operation.fail(round.read_contributions());
}

// With progress and sleep, as all waits of MPI. Error when others call something else.
Fault wait_long(Channel& channel, bool (*holds)(void* condition, shm::Look look), void* condition);

// Polls for a short time, then waits as above.
template <class Condition>
Fault wait_until(Channel& channel, Condition& condition) {
  constexpr int kPolls = 64;  // about a microsecond
  if (condition(shm::Look::quick)) return {};
  for (int poll = 0; channel.may_spin() && poll < kPolls; ++poll) {
    shm::relax();
    if (condition(shm::Look::quick)) return {};
  }
  const auto holds = [](void* condition, shm::Look look) {
    return (*static_cast<Condition*>(condition))(look);
  };
  return wait_long(channel, holds, &condition);
}

// The blocking call.
template <class Exchange, class Call>
Fault blocking_round(const Call& call, Ticket ticket) {
  OneRound<Exchange> round(call, ticket);
  auto free_space = round.free_space();
  if (Fault fault = wait_until(ticket.channel(), free_space)) return fault;
  round.write_contribution();
  if (Fault fault = wait_until(ticket.channel(), round)) return fault;
  if (Fault fault = round.read_contributions()) return fault;
  p2p::engine->poll_now_and_then();
  return {};
}

}  // namespace atl::coll::shared_memory
