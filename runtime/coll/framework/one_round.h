// Algorithms of one round ("flat"): each rank publishes its contribution, waits for the ranks whose
// data it needs, and reads that. A blocking call does so without a task, which would cost more than
// the exchange of a few bytes.
//
// Such an algorithm is a class that derives from FlatExchange, is constructed from the call and the
// channel, and has
//   static constexpr Pattern kPattern;
// It sets the members of FlatExchange and hides the functions that it needs.
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
  int root = MPI_PROC_NULL;    // member number, if the call has a root
  std::size_t bytes = 0;       // of this rank's contribution
  std::size_t next_bytes = 0;  // of another rank's contribution; likely of this rank's next

  void write_contribution(Channel&, Round) {}
  void overlapped_work() {}                    // local work after publishing, before waiting
  void read_contributions(Channel&, Round) {}  // after the awaited ranks have published
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

  // After free_space() holds.
  void write_contribution() {
    exchange_.write_contribution(channel_, round_);
    if constexpr (Exchange::kPattern != Pattern::root_to_all) {
      channel_.publish(round_, exchange_.signature);
    } else if (is_root()) {
      channel_.publish_awaited(round_, exchange_.signature);
    } else {
      channel_.publish_unawaited(round_, exchange_.signature);
    }
    channel_.prefetch_own(round_ + 1, std::max(exchange_.bytes, exchange_.next_bytes));
    exchange_.overlapped_work();
  }

  // Whether all ranks that this rank waits for have published.
  bool operator()(shm::PollMode mode) {
    if constexpr (Exchange::kPattern == Pattern::root_to_all) {
      return is_root() || channel_.published(exchange_.root, round_);
    } else {
      return !awaits_all() || all_published_(mode);
    }
  }

  Error read_contributions() {
    if constexpr (Exchange::kPattern == Pattern::all_to_root) {
      if (is_root()) channel_.prefetch(channel_.behind(1), round_, exchange_.next_bytes);
    }
    if (Error error = compare_calls()) return error;
    exchange_.read_contributions(channel_, round_);
    return {};
  }

 private:
  bool is_root() const { return channel_.rank() == exchange_.root; }
  bool awaits_all() const {
    if constexpr (Exchange::kPattern == Pattern::all_to_all) return true;
    return is_root();
  }

  // Compares with the ranks that this rank waited for, or else with the root if the root has
  // already published.
  Error compare_calls() {
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

// As a task, for calls that must not block.
template <class Exchange, class Call>
Task in_one_round(const Call& call, Operation& operation, Ticket ticket) {
  OneRound<Exchange> round(call, ticket);
  auto free_space = round.free_space();
  co_await operation.until(free_space);
  round.write_contribution();
  co_await operation.until(round);
  operation.fail(round.read_contributions());
}

// Blocks until the condition holds: polls, makes progress, yields and sleeps. Error when other
// members make calls that do not match.
Error wait_long(Channel& channel, bool (*holds)(void* condition, shm::PollMode mode),
                void* condition);

// Polls the condition for a short time without progress, then calls wait_long().
template <class Condition>
Error wait_until(Channel& channel, Condition& condition) {
  constexpr int kPolls = 64;  // about a microsecond
  if (condition(shm::PollMode::fast)) return {};
  for (int poll = 0; channel.may_spin() && poll < kPolls; ++poll) {
    shm::relax();
    if (condition(shm::PollMode::fast)) return {};
  }
  const auto holds = [](void* condition, shm::PollMode mode) {
    return (*static_cast<Condition*>(condition))(mode);
  };
  return wait_long(channel, holds, &condition);
}

// The blocking call.
template <class Exchange, class Call>
Error blocking_round(const Call& call, Ticket ticket) {
  OneRound<Exchange> round(call, ticket);
  auto free_space = round.free_space();
  if (Error error = wait_until(ticket.channel(), free_space)) return error;
  round.write_contribution();
  if (Error error = wait_until(ticket.channel(), round)) return error;
  if (Error error = round.read_contributions()) return error;
  p2p::engine->poll_now_and_then();
  return {};
}

}  // namespace atl::coll::shared_memory
