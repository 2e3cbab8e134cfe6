// The state that all collectives of one communicator share in this process: its side of the
// collective buffer, the order of its operations, and the comparison of its calls.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/coll/framework/call_comparison.h"
#include "runtime/coll/framework/shared_buffer.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "shm/base/line_latency.h"

namespace atl::coll {

// Operations use the collective buffer one after another, in the order in which they were started,
// which is the same on all members (MPI 5.0, 6.13). So all members number the rounds alike without
// communication.
class OperationOrder {
 public:
  std::uint64_t issue() { return issued_++; }
  void serve_next() { ++served_; }

  bool serves(std::uint64_t ticket) const { return served_ == ticket; }
  bool idle() const { return issued_ == served_; }

  // First round of the last operation that reserved rounds.
  Round first() const { return first_; }
  // First round of the next operation to reserve rounds.
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
  Round next_ = 1;  // round 0 is never used
};

// The members sorted by their place in the machine, so that neighbours share caches.
struct MachineOrder {
  std::vector<int> rank_at;      // indexed by position
  std::vector<int> position_of;  // indexed by rank
};

class Channel : public SharedBuffer {
 public:
  explicit Channel(Communicator& comm) : SharedBuffer(comm) {}

  OperationOrder order;
  CallHistory history;

  // No operation is under way, and the buffer can take data.
  bool idle() const { return open() && order.idle(); }

  // Reports to all members that the calls from `round` on do not match; returns the error.
  Error report(Round round, int error_class, const std::string& text);
  // The error if a mismatch was reported for `round` or an earlier round. Then closes the buffer.
  Error reported(Round round);

  // Computed by the first call.
  const MachineOrder& machine_order();

  // Latency to the farthest other member (core_distance.h).
  shm::LineLatency line_latency;

 private:
  MismatchReport mismatch_;
  MachineOrder machine_order_;
};

// An operation's place in the order of its communicator, assigned when the operation starts.
class Ticket {
 public:
  explicit Ticket(Channel& channel) : channel_(&channel), number_(channel.order.issue()) {}
  Ticket(Ticket&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)), number_(other.number_) {}
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket() {
    if (channel_ != nullptr) finish();
  }

  // All earlier operations have released their tickets, and the collective buffer is attached or
  // known not to exist.
  bool served() const { return channel_->order.serves(number_) && channel_->attached(); }
  bool operator()(shm::PollMode) const { return served(); }  // co_await operation.until(ticket)
  Channel& channel() { return *channel_; }

  // Lets the next operation begin: the rest of this one uses no rounds.
  void release() { const Ticket released = std::move(*this); }

  // Reserves `count` rounds for this operation; returns the first.
  Round reserve_rounds(Round count) {
    ATL_DCHECK(channel_->order.serves(number_));
    return channel_->order.reserve(count);
  }

 private:
  void finish();

  Channel* channel_;
  std::uint64_t number_;
};

// Of a communicator; its first collective makes it.
inline constexpr ExtensionSlot<Channel> kChannel{Extension::collective_channel};
Channel& make_channel(Communicator& comm);

// Null where the communicator has no other member.
inline Channel* channel_of(Communicator& comm) {
  Channel* channel = comm.extensions.get(kChannel);
  if (__builtin_expect(channel != nullptr, 1)) return channel;
  return comm.size() == 1 && !comm.is_inter() ? nullptr : &make_channel(comm);
}

}  // namespace atl::coll
