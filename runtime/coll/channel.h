// This process's side of the arena of a communicator (shm/arena.h).
//
// Operations go through the arena one after the other, in the order in which they
// were begun, which is the same everywhere (MPI 5.0, 6.13). So all members agree
// on the numbers of the steps without saying them.
//
// An inter-communicator has one for both groups, in which they only show what they
// call: its members are those of the group whose first one has the lower rank in the
// job, then those of the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "runtime/coll/data.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/core/process.h"
#include "shm/arena.h"
#include "shm/base/hop.h"
#include "shm/doorbell.h"
#include "shm/waiting.h"

namespace atl::coll {

using Step = std::uint64_t;

// What a member calls, for the others to compare with what they call.
struct Called {
  std::uint64_t what = 0;   // see called.h; 0: nothing new, a call of several steps goes on
  std::uint64_t bytes = 0;  // of data, where all give the same; above kPastShift, the past

  // The past stands for what its rank called before, for those who did not wait for
  // each other then.
  static constexpr int kPastShift = 48;

  bool operator==(const Called&) const = default;
};

// The members in the order of their places in the machine: neighbours share caches.
struct Places {
  std::vector<int> rank_at;
  std::vector<int> place_of;  // a rank
};

class Channel {
 public:
  explicit Channel(Communicator& comm);

  Communicator& comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  std::size_t others() const { return ranks() - 1; }
  // The rank `i` places behind this one, so that not all begin with the same one.
  int behind(int i) const { return rank_ + i < size_ ? rank_ + i : rank_ + i - size_; }

  // Looks for the arena; its first member makes it. False: it is not there yet.
  bool attached();
  bool shares_cores() const { return shares_cores_; }

  // Others answer while this rank polls.
  bool may_spin() const { return !shares_cores_ && process.policy.spin_ticks != 0; }

  // The first step of the operation that has the turn, or had it last.
  Step first() const { return first_; }

  // The first step of the operation that has come to its turn, but has taken none yet.
  Step next() const { return next_; }

  // No operation has a turn, and the arena is there if there is any. False where no data
  // may go through it.
  bool idle() const { return open_ && turns_ == turn_; }

  // There is no memory for an arena; only messages are left. When attached.
  bool none() const { return arena_ == nullptr; }

  // Of an inter-communicator.
  bool between_groups() const { return groups_.second != 0; }
  // The arena is there, for data. False when it is known that calls do not match.
  bool open() const { return open_; }
  // Of a member: its group is the one whose members come first.
  bool in_first_group(int rank) const { return rank < groups_.first; }
  // The member that is `rank` in the remote group.
  int peer(int rank) const { return in_first_group(rank_) ? groups_.first + rank : rank; }
  std::uint32_t world_rank(int member) const;

  // The most data in one step of one member.
  std::size_t cell_bytes() const { return cell_bytes_; }

  // Where this rank's data of a step goes, and where that of a rank is, by its length.
  // In a cell it begins as far behind a cache line as `like`, the memory that it
  // comes from or goes to: whole lines are copied fastest.
  std::byte* place(Step step, std::size_t bytes, const void* like);
  const std::byte* data(int rank, Step step, std::size_t bytes) {
    const auto member = static_cast<std::uint32_t>(rank);
    const shm::Entry& entry = arena_->entry(member, step);
    if (bytes <= shm::Entry::kBytes) return entry.data;
    const std::uint64_t start = entry.start;
    ATL_CHECK(start < shm::kCacheLine, "a member's data in a collective begins outside its cell");
    return cells_.at(member, step) + start;
  }

  // Bytes [start, start + bytes) of the stream of `from` become this rank's data of
  // a step; those of another rank become those of `to`.
  void put(Step step, const Data& from, std::size_t start, std::size_t bytes) {
    const void* like = static_cast<const std::byte*>(from.address) + start;
    pack(from, start, {place(step, bytes, like), bytes});
  }
  void take(int rank, Step step, const Data& to, std::size_t start, std::size_t bytes) {
    unpack(to, start, {data(rank, step, bytes), bytes});
  }

  // What this rank calls, for the others to compare: in its entry of the first step
  // of an operation, before it publishes that, for which there must be room.
  // A step that goes on with a call has Called().
  void set_called(Step step, const Called& called) {
    shm::Entry& entry = arena_->entry(static_cast<std::uint32_t>(rank_), step);
    entry.what = called.what;
    entry.bytes = called.bytes;
  }
  // Publishes this rank's entry of a step: one that all members post, one that all
  // wait for, or one that nobody does, or few, who are woken each.
  void post(Step step);
  void post_alone(Step step);
  void show(Step step) {
    // Pairs with posted(): the entry and its cell before its number.
    arena_->entry(static_cast<std::uint32_t>(rank_), step).posted.store_release(step + 1);
  }

  // For a rank that waits for what this one has shown.
  void wake(int rank) {
    shm::waker_fence(process.fence);
    bells_[static_cast<std::size_t>(rank < rank_ ? rank : rank - 1)]->ring();
  }

  static constexpr std::size_t kFetched = 2048;  // bytes; more than is fetched at a time

  // This rank will soon put so many bytes into the cell of a step: its cache lines come
  // back from those who read them while it waits for something else. Entries alone
  // gain nothing by it.
  void prepare(Step step, std::size_t bytes) {
    if (bytes <= shm::Entry::kBytes) return;
    const auto member = static_cast<std::uint32_t>(rank_);
    shm::prefetch_to_write(&arena_->entry(member, step));
    const std::byte* cell = cells_.at(member, step);
    for (std::size_t at = 0; at < std::min(bytes, kFetched); at += shm::kCacheLine) {
      shm::prefetch_to_write(cell + at);
    }
  }

  // What a rank has posted in a step comes while this one looks at something else first.
  void fetch(int rank, Step step, std::size_t bytes) {
    if (bytes <= shm::Entry::kBytes) return;
    const std::byte* cell = data(rank, step, bytes);
    for (std::size_t at = 0; at < std::min(bytes, kFetched); at += shm::kCacheLine) {
      __builtin_prefetch(cell + at);
    }
  }

  // What this rank calls next, together with its past.
  Called with_past(Called called) const {
    called.bytes |= past_;
    return called;
  }
  // It becomes a part of the past: that need not be where everybody waits for all, since
  // all see that it matches. The type signatures do not count.
  Called remember(const Called& called) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
    const Called next = with_past(called);
    const std::uint64_t mixed = (past_ + static_cast<std::uint32_t>(called.what)) * kMix;
    past_ = mixed >> Called::kPastShift << Called::kPastShift;
    return next;
  }

  // What is called from `step` on does not match: tells all members, and gives the error
  // of those who see it. Who saw it first says what it is; a rank that saw it too, before
  // that was published, says so itself until then. From then on all calls fail.
  Fault report(Step step, int error_class, const std::string& text);
  // The error if somebody has reported that for `step` or an earlier one.
  Fault reported(Step step);

  // Conditions to wait for.

  bool posted(int rank, Step step) {
    // Pairs with show(): the entry and its cell.
    return arena_->entry(static_cast<std::uint32_t>(rank), step).posted.load_acquire() == step + 1;
  }

  // It has posted neither that step nor a later one in its place.
  bool comes_to(int rank, Step step) {
    // Pairs with show(): the entry.
    return arena_->entry(static_cast<std::uint32_t>(rank), step).posted.load_acquire() <= step;
  }

  // Everybody has posted the entry of a step that all post().
  class AllPosted {
   public:
    AllPosted(Channel& channel, Step step) : channel_(channel), step_(step) {}
    bool operator()(shm::Look look) {
      if (channel_.shares_cores_ && all_arrived()) return true;
      // A rank that calls something else may have posted without being counted.
      if (channel_.shares_cores_ && look == shm::Look::quick) return false;
      while (next_ < channel_.size_ && channel_.posted(channel_.behind(next_), step_)) ++next_;
      return next_ == channel_.size_;
    }

   private:
    bool all_arrived() const;

    Channel& channel_;
    Step step_;
    int next_ = 1;  // all that are less than so many places behind this rank have
  };
  AllPosted all_posted(Step step) { return {*this, step}; }

  // The entry of a step, and its cell if `cell`, may be written.
  class Room {
   public:
    Room(Channel& channel, Step step, bool cell)
        : channel_(channel),
          needed_(needed(step, cell ? shm::Arena::kCells : shm::Arena::kEntries)) {}
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room() {
      if (__builtin_expect(wanted_, 0)) unwant();
    }
    bool operator()(shm::Look look) {
      return __builtin_expect(channel_.floor_ >= needed_, 1) || this->look(look);
    }

   private:
    bool look(shm::Look look);
    bool all_left() const;
    // All must have left the steps before this one.
    static Step needed(Step step, std::uint32_t depth) {
      return step < depth ? 0 : step - depth + 1;
    }

    void unwant();

    Channel& channel_;
    Step needed_;
    bool wanted_ = false;  // counted in Arena::room_wanted(): this rank sleeps or is about to
  };
  Room room(Step step, std::size_t bytes) { return {*this, step, bytes > shm::Entry::kBytes}; }

  // This rank reads nothing any more that was posted before `step`.
  void leave(Step step);
  // As it was last said.
  Step left() const { return left_; }
  // It is known that nobody does.
  void all_left(Step step) {
    if (step > floor_) floor_ = step;
  }

  // Made when it is first asked for.
  const Places& places();

  // How far the farthest of the others is (distance.h).
  shm::Hop hop;

  // What a rank called in a step that it has posted.
  Called called(int rank, Step step) const {
    const shm::Entry& entry = arena_->entry(static_cast<std::uint32_t>(rank), step);
    return {entry.what, entry.bytes};
  }

 private:
  friend class Turn;

  // That this rank has seen by itself, from its step on.
  struct OwnMismatch {
    Step step = ~Step{0};  // none
    int error_class = 0;
    std::string text;
  };

  void wake_all();
  void note_written(std::size_t bytes);
  Fault mismatch_error(int error_class, std::string_view text);

  Communicator& comm_;
  std::pair<int, int> groups_;  // sizes; the second is 0 where there is but one
  int rank_;
  int size_;
  shm::Arena* arena_ = nullptr;
  shm::Arena::Cells cells_;
  std::size_t cell_bytes_ = 0;
  bool attached_ = false;
  bool open_ = false;  // for data
  bool shares_cores_;  // with other ranks: entries of all are counted, not looked at one by one
  Step first_ = 0;     // of the operation whose turn it is
  Step next_ = 1;      // of the operation that comes next; there is no step 0
  Step left_ = 0;      // as it was last said to the others
  Step floor_ = 0;     // everybody has left the steps before this one
  std::size_t written_ = 0;  // bytes of each of its cells, as was last said to the others
  std::array<std::uint32_t, shm::Arena::kEntries>
      expected_{};                     // Arena::arrivals() of the last such step
  std::vector<shm::Doorbell*> bells_;  // of the other members
  Places places_;
  OwnMismatch own_mismatch_;
  std::uint64_t past_ = 0;   // of what this rank calls, see Called
  std::uint64_t turns_ = 0;  // handed out
  std::uint64_t turn_ = 0;   // whose it is
};

// An operation's turn at the arena, from the start on.
class Turn {
 public:
  explicit Turn(Channel& channel) : channel_(&channel), number_(channel.turns_++) {}
  Turn(Turn&& other) noexcept
      : channel_(std::exchange(other.channel_, nullptr)), number_(other.number_) {}
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (channel_ != nullptr) give_up();
  }

  bool come() const { return channel_->turn_ == number_ && channel_->attached(); }
  Channel& channel() { return *channel_; }

  // The rest of the operation needs no turn.
  void end() { const Turn ended = std::move(*this); }

  // The first of so many steps of this operation.
  Step take_steps(Step count) {
    ATL_DCHECK(channel_->turn_ == number_);
    channel_->first_ = channel_->next_;
    channel_->next_ += count;
    return channel_->first_;
  }

 private:
  void give_up();

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
