// This process's side of the collective buffer of a communicator (shm/collective_buffer.h):
// what it writes there, what it reads there, and what it waits for.
//
// An inter-communicator has one buffer for both groups, in which members publish signatures and
// no data. Its members are those of the group whose first process has the lower rank in the job,
// then those of the other group.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "runtime/coll/framework/data.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/process.h"
#include "shm/base/line_latency.h"
#include "shm/collective_buffer.h"
#include "shm/doorbell.h"
#include "shm/waiting.h"

namespace atl::coll {

using Round = std::uint64_t;

// The signature of a member's call, which the other members compare with their own.
struct CollectiveSignature {
  std::uint64_t call = 0;   // see collective_signature.cc; 0: a later round of a call
  std::uint64_t bytes = 0;  // of data that must be equal; from bit kHistoryShift on the history

  // The history is a hash of the rank's earlier calls, for members that did not wait for each
  // other in those calls.
  static constexpr int kHistoryShift = 48;

  bool operator==(const CollectiveSignature&) const = default;
};

class SharedBuffer {
 public:
  explicit SharedBuffer(Communicator& comm);

  Communicator& comm() const { return comm_; }
  int rank() const { return rank_; }  // member number of this process
  int size() const { return size_; }  // number of members
  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  std::size_t others() const { return ranks() - 1; }
  // The rank at offset `i` after this rank, cyclically, so that not all members begin with the same
  // rank.
  int behind(int i) const { return rank_ + i < size_ ? rank_ + i : rank_ + i - size_; }
  std::uint32_t world_rank(int member) const;

  // True in an inter-communicator.
  bool between_groups() const { return groups_.second != 0; }
  bool in_first_group(int rank) const { return rank < groups_.first; }
  // The member number of `rank` of the remote group.
  int peer(int rank) const { return in_first_group(rank_) ? groups_.first + rank : rank; }

  // Attaches the buffer, which member 0 creates. False: it does not exist yet.
  bool attached();
  // There is no memory for a buffer, so collectives use messages. Valid once attached() is true.
  bool none() const { return buffer_ == nullptr; }
  // The buffer can take data. False in an inter-communicator, and once a mismatch is known.
  bool open() const { return open_; }

  bool shares_cores() const { return shares_cores_; }
  // Other ranks make progress while this rank spins, since no core is shared.
  bool may_spin() const { return !shares_cores_ && process.policy.spin_ticks != 0; }

  // --- What this rank writes ---

  // The maximum length of one member's data in one round.
  std::size_t slot_bytes() const { return slot_bytes_; }

  // The memory for `bytes` of data of this rank in a round: the entry if they fit, else the slot.
  // In a slot, data has the same offset in a cache line as `like`, its source or destination,
  // since copies of whole lines are fastest.
  std::byte* place(Round round, std::size_t bytes, const void* like);

  // Packs bytes [start, start + bytes) of `from` as this rank's data of a round.
  void write(Round round, const Data& from, std::size_t start, std::size_t bytes) {
    const void* like = static_cast<const std::byte*>(from.address) + start;
    pack(from, start, {place(round, bytes, like), bytes});
  }

  // Publish this rank's entry of a round, with the signature of its call. Rounds after the first of
  // an operation have CollectiveSignature() or Way::later.
  // publish(): members wait until all have published. Wakes the others; where ranks share cores,
  // only the last to publish does.
  // publish_awaited(): all members wait for this entry, and are woken.
  // publish_unawaited(): nobody is woken; the caller calls wake() for each rank that waits.
  void publish(Round round, const CollectiveSignature& signature);
  void publish_awaited(Round round, const CollectiveSignature& signature) {
    publish_unawaited(round, signature);
    wake_all();
  }
  void publish_unawaited(Round round, const CollectiveSignature& signature) {
    shm::Entry& entry = own_entry(round);
    entry.call = signature.call;
    entry.bytes = signature.bytes;
    // Pairs with published(): the entry and its slot are written before the round number.
    entry.published.store_release(round + 1);
  }
  void wake(int rank) {
    shm::waker_fence(process.fence);  // pairs with sleeper_fence() in shm::wait_until()
    bells_[static_cast<std::size_t>(rank < rank_ ? rank : rank - 1)]->ring();
  }
  void wake_all();

  // Prefetches the cache lines of this rank's slot of a round for writing, from the caches of
  // readers, while this rank waits for other ranks. No gain for data that fits into an entry.
  void prefetch_own(Round round, std::size_t bytes) {
    if (bytes <= shm::Entry::kBytes) return;
    shm::prefetch_to_write(&own_entry(round));
    const std::byte* slot = slots_.at(static_cast<std::uint32_t>(rank_), round);
    for (std::size_t at = 0; at < std::min(bytes, kPrefetched); at += shm::kCacheLine) {
      shm::prefetch_to_write(slot + at);
    }
  }

  // --- What this rank reads ---

  const std::byte* data(int rank, Round round, std::size_t bytes) const {
    const auto member = static_cast<std::uint32_t>(rank);
    const shm::Entry& entry = buffer_->entry(member, round);
    if (bytes <= shm::Entry::kBytes) return entry.data;
    const std::uint64_t start = entry.start;
    ATL_CHECK(start < shm::kCacheLine,
              "a member's data in a collective begins outside its buffer slot");
    return slots_.at(member, round) + start;
  }
  // Unpacks the data that `rank` has published into bytes [start, start + bytes) of `to`.
  void read(int rank, Round round, const Data& to, std::size_t start, std::size_t bytes) const {
    unpack(to, start, {data(rank, round, bytes), bytes});
  }

  // Prefetches the data that `rank` has published, while this rank does other work.
  void prefetch(int rank, Round round, std::size_t bytes) const {
    if (bytes <= shm::Entry::kBytes) return;
    const std::byte* slot = data(rank, round, bytes);
    for (std::size_t at = 0; at < std::min(bytes, kPrefetched); at += shm::kCacheLine) {
      __builtin_prefetch(slot + at);
    }
  }

  // The signature of `rank` in a round that it has published.
  CollectiveSignature signature(int rank, Round round) const {
    const shm::Entry& entry = buffer_->entry(static_cast<std::uint32_t>(rank), round);
    return {entry.call, entry.bytes};
  }

  // Releases all rounds before `round`: this rank does not read them any more.
  void release(Round round);
  Round released() const { return released_; }  // the argument of the last release()
  // Records that all members have released the rounds before `round`.
  void note_all_released(Round round) {
    if (round > all_released_) all_released_ = round;
  }

  // --- Conditions to wait for ---

  bool published(int rank, Round round) const {
    // Pairs with publish_unawaited(): the entry and its slot are written.
    return buffer_->entry(static_cast<std::uint32_t>(rank), round).published.load_acquire() ==
           round + 1;
  }
  // The rank has published neither `round` nor a later round in the same entry.
  bool has_not_reached(int rank, Round round) const {
    // Pairs with publish_unawaited(): the entry is written.
    return buffer_->entry(static_cast<std::uint32_t>(rank), round).published.load_acquire() <=
           round;
  }

  // Condition: all members have published their entry of a round with publish().
  class AllPublished {
   public:
    AllPublished(SharedBuffer& buffer, Round round) : buffer_(buffer), round_(round) {}
    bool operator()(shm::PollMode mode) {
      if (buffer_.shares_cores_ && all_arrived()) return true;
      // A rank in another collective may have published without adding to arrivals().
      if (buffer_.shares_cores_ && mode == shm::PollMode::fast) return false;
      while (next_ < buffer_.size_ && buffer_.published(buffer_.behind(next_), round_)) ++next_;
      return next_ == buffer_.size_;
    }

   private:
    bool all_arrived() const;

    SharedBuffer& buffer_;
    Round round_;
    int next_ = 1;  // ranks behind(1) to behind(next_ - 1) are known to have published
  };
  AllPublished all_published(Round round) { return {*this, round}; }

  // Condition: this rank may write its entry of a round, and its slot if the data needs one. All
  // members have released the round that last used them.
  class FreeSpace {
   public:
    FreeSpace(SharedBuffer& buffer, Round round, bool slot)
        : buffer_(buffer), needed_(needed(round, slot ? kSlots : kEntries)) {}
    FreeSpace(const FreeSpace&) = delete;
    FreeSpace& operator=(const FreeSpace&) = delete;
    ~FreeSpace() {
      if (__builtin_expect(waiting_, 0)) stop_waiting();
    }
    bool operator()(shm::PollMode mode) {
      return __builtin_expect(buffer_.all_released_ >= needed_, 1) || read_all_released(mode);
    }

   private:
    static constexpr std::uint32_t kSlots = shm::CollectiveBuffer::kSlots;
    static constexpr std::uint32_t kEntries = shm::CollectiveBuffer::kEntries;

    static Round needed(Round round, std::uint32_t depth) {
      return round < depth ? 0 : round - depth + 1;
    }
    bool read_all_released(shm::PollMode mode);
    bool all_released() const;
    void stop_waiting();

    SharedBuffer& buffer_;
    Round needed_;          // all members must have released the rounds before this one
    bool waiting_ = false;  // counted in space_wanted(): this rank sleeps or is about to sleep
  };
  FreeSpace free_space(Round round, std::size_t bytes) {
    return {*this, round, bytes > shm::Entry::kBytes};
  }

 protected:
  shm::CollectiveBuffer& shared() { return *buffer_; }
  void close() { open_ = false; }

 private:
  static constexpr std::size_t kPrefetched = 2048;  // maximum, in bytes

  shm::Entry& own_entry(Round round) {
    return buffer_->entry(static_cast<std::uint32_t>(rank_), round);
  }
  void note_written(std::size_t bytes);

  Communicator& comm_;
  std::pair<int, int> groups_;  // their sizes; the second is 0 in an intra-communicator
  int rank_;
  int size_;
  shm::CollectiveBuffer* buffer_ = nullptr;
  shm::CollectiveBuffer::Slots slots_;
  std::size_t slot_bytes_ = 0;
  bool attached_ = false;
  bool open_ = false;
  bool shares_cores_;        // ranks share cores: arrivals are counted, not polled one by one
  Round released_ = 0;       // value of Member::released of this rank
  Round all_released_ = 0;   // all members are known to have released the rounds before this one
  std::size_t written_ = 0;  // value of Member::written of this rank
  // Per entry: the value of CollectiveBuffer::arrivals() after all members have published the last
  // round that used it.
  std::array<std::uint32_t, shm::CollectiveBuffer::kEntries> expected_{};
  std::vector<shm::Doorbell*> bells_;  // of the other members, in member order
};

}  // namespace atl::coll
