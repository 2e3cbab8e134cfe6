// What the collectives of one communicator share in this process: its side of the collective
// buffer, the order of its operations, and the comparison of its calls.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/coll/framework/call_comparison.h"
#include "runtime/coll/framework/shared_buffer.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "shm/base/hop.h"

namespace atl::coll {

// Operations go through the collective buffer one after the other, in the order in which they
// were begun, which is the same everywhere (MPI 5.0, 6.13). So all members agree on the numbers
// of the rounds without telling each other.
class OperationOrder {
 public:
  std::uint64_t issue() { return issued_++; }
  void serve_next() { ++served_; }

  bool serves(std::uint64_t ticket) const { return served_ == ticket; }
  bool idle() const { return issued_ == served_; }

  // First round of the operation that is served, or was the last one.
  Round first() const { return first_; }
  // First round of the operation that is served but has reserved none yet.
  Round next() const { return next_; }

  Round reserve(Round count) {
    first_ = next_;
    next_ += count;
    return first_;
  }

 private:
  std::uint64_t issued_ = 0;  // tickets
  std::uint64_t served_ = 0;  // the ticket whose turn it is
  Round first_ = 0;
  Round next_ = 1;  // there is no round 0
};

// The members in the order of their places in the machine: neighbours share caches.
struct Places {
  std::vector<int> rank_at;
  std::vector<int> place_of;  // a rank
};

class Channel : public SharedBuffer {
 public:
  explicit Channel(Communicator& comm) : SharedBuffer(comm) {}

  OperationOrder order;
  CallHistory history;

  // No operation is under way, and data may go through the buffer.
  bool idle() const { return open() && order.idle(); }

  // The calls from `round` on do not match: tells all members, and gives the error.
  Fault report(Round round, int error_class, const std::string& text);
  // The error if that was reported for `round` or an earlier one.
  Fault reported(Round round);

  // Made when it is first asked for.
  const Places& places();

  // How far the farthest of the others is (core_distance.h).
  shm::Hop hop;

 private:
  MismatchReport mismatch_;
  Places places_;
};

// An operation's place in the order of its communicator, from its start on.
class Ticket {
 public:
  explicit Ticket(Channel& channel) : channel_(&channel), number_(channel.order.issue()) {}
  Ticket(Ticket&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)), number_(other.number_) {}
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket() {
    if (channel_ != nullptr) finish();
  }

  // All operations before it have finished, and the collective buffer is there if there is any.
  bool served() const { return channel_->order.serves(number_) && channel_->attached(); }
  bool operator()(shm::Look) const { return served(); }  // co_await operation.until(ticket)
  Channel& channel() { return *channel_; }

  // The next operation may begin: the rest of this one uses no rounds.
  void release() { const Ticket released = std::move(*this); }

  // First of so many rounds of this operation.
  Round reserve_rounds(Round count) {
    ATL_DCHECK(channel_->order.serves(number_));
    return channel_->order.reserve(count);
  }

 private:
  void finish();

  Channel* channel_;
  std::uint64_t number_;
};

// Null where there is nobody else.
Channel& make_channel(Communicator& comm);
inline Channel* channel_of(Communicator& comm) {
  if (__builtin_expect(comm.channel != nullptr, 1)) return comm.channel.get();
  return comm.size() == 1 && !comm.is_inter() ? nullptr : &make_channel(comm);
}

}  // namespace atl::coll
