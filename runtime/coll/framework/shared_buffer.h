// This process's side of the collective buffer of a communicator (shm/collective_buffer.h):
// what it writes there, what it reads there, and what it waits for.
//
// An inter-communicator has one buffer for both groups, in which ranks publish what they call
// and no data. Its members are those of the group whose first process has the lower rank in
// the job, then those of the other.
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
#include "shm/base/hop.h"
#include "shm/collective_buffer.h"
#include "shm/doorbell.h"
#include "shm/waiting.h"

namespace atl::coll {

using Round = std::uint64_t;

// What a member calls, for the others to compare with what they call.
struct CollectiveSignature {
  std::uint64_t call = 0;   // collective_signature.h; 0: a later round of a call
  std::uint64_t bytes = 0;  // of data, where it must be equal; from bit kHistoryShift the history

  // The history stands for what its rank called before, for members that did not wait for
  // each other then.
  static constexpr int kHistoryShift = 48;

  bool operator==(const CollectiveSignature&) const = default;
};

class SharedBuffer {
 public:
  explicit SharedBuffer(Communicator& comm);

  Communicator& comm() const { return comm_; }
  int rank() const { return rank_; }  // of this process among the members
  int size() const { return size_; }  // members
  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  std::size_t others() const { return ranks() - 1; }
  // The rank `i` places behind this one, so that not all members begin with the same one.
  int behind(int i) const { return rank_ + i < size_ ? rank_ + i : rank_ + i - size_; }
  std::uint32_t world_rank(int member) const;

  // Of an inter-communicator.
  bool between_groups() const { return groups_.second != 0; }
  bool in_first_group(int rank) const { return rank < groups_.first; }
  // The member that is `rank` in the remote group.
  int peer(int rank) const { return in_first_group(rank_) ? groups_.first + rank : rank; }

  // Looks for the buffer, which its first member makes. False: it is not there yet.
  bool attached();
  // There is no memory for a buffer; only messages are left. Known once attached.
  bool none() const { return buffer_ == nullptr; }
  // The buffer can take data. False from when it is known that calls do not match.
  bool open() const { return open_; }

  bool shares_cores() const { return shares_cores_; }
  // The others can answer while this rank polls.
  bool may_spin() const { return !shares_cores_ && process.policy.spin_ticks != 0; }

  // --- What this rank writes ---

  // The most data of one member in one round.
  std::size_t slot_bytes() const { return slot_bytes_; }

  // Where this rank's data of a round goes, by its length: the entry or a slot. In a slot it
  // begins as far behind a cache line as `like`, the memory that it comes from or goes to:
  // whole lines are copied fastest.
  std::byte* place(Round round, std::size_t bytes, const void* like);

  // Bytes [start, start + bytes) of the packed `from` become this rank's data of a round.
  void write(Round round, const Data& from, std::size_t start, std::size_t bytes) {
    const void* like = static_cast<const std::byte*>(from.address) + start;
    pack(from, start, {place(round, bytes, like), bytes});
  }

  // What this rank calls, for the others to compare: in its entry of the first round of an
  // operation, before that is published. Later rounds have CollectiveSignature().
  void set_signature(Round round, const CollectiveSignature& signature) {
    shm::Entry& entry = own_entry(round);
    entry.call = signature.call;
    entry.bytes = signature.bytes;
  }

  // Publish this rank's entry of a round: one that all members publish and wait for; one that
  // all wait for; one that nobody waits for, or a few, each of whom wake() wakes.
  void publish(Round round);
  void publish_awaited(Round round) {
    publish_unawaited(round);
    wake_all();
  }
  void publish_unawaited(Round round) {
    // Pairs with published(): the entry and its slot are written before the number.
    own_entry(round).published.store_release(round + 1);
  }
  void wake(int rank) {
    shm::waker_fence(process.fence);
    bells_[static_cast<std::size_t>(rank < rank_ ? rank : rank - 1)]->ring();
  }
  void wake_all();

  // Fetches the cache lines of this rank's slot of a round back from those who read them, while
  // this rank waits for something else. Entries alone gain nothing by it.
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
  // The data that `rank` has published become bytes [start, start + bytes) of the packed `to`.
  void read(int rank, Round round, const Data& to, std::size_t start, std::size_t bytes) const {
    unpack(to, start, {data(rank, round, bytes), bytes});
  }

  // Fetches what a rank has published, while this one looks at something else first.
  void prefetch(int rank, Round round, std::size_t bytes) const {
    if (bytes <= shm::Entry::kBytes) return;
    const std::byte* slot = data(rank, round, bytes);
    for (std::size_t at = 0; at < std::min(bytes, kPrefetched); at += shm::kCacheLine) {
      __builtin_prefetch(slot + at);
    }
  }

  // What a rank called in a round that it has published.
  CollectiveSignature signature(int rank, Round round) const {
    const shm::Entry& entry = buffer_->entry(static_cast<std::uint32_t>(rank), round);
    return {entry.call, entry.bytes};
  }

  // This rank reads nothing any more that was published before `round`.
  void release(Round round);
  Round released() const { return released_; }  // as last published
  // All members have released the rounds before this one, as this rank has found out.
  void note_all_released(Round round) {
    if (round > all_released_) all_released_ = round;
  }

  // --- Conditions to wait for ---

  bool published(int rank, Round round) const {
    // Pairs with publish_unawaited(): the entry and its slot.
    return buffer_->entry(static_cast<std::uint32_t>(rank), round).published.load_acquire() ==
           round + 1;
  }
  // The rank has published neither that round nor a later one in its place.
  bool has_not_reached(int rank, Round round) const {
    // Pairs with publish_unawaited(): the entry.
    return buffer_->entry(static_cast<std::uint32_t>(rank), round).published.load_acquire() <=
           round;
  }

  // All members have published their entry of a round, by publish().
  class AllPublished {
   public:
    AllPublished(SharedBuffer& buffer, Round round) : buffer_(buffer), round_(round) {}
    bool operator()(shm::Look look) {
      if (buffer_.shares_cores_ && all_arrived()) return true;
      // A rank that calls something else may have published without being counted.
      if (buffer_.shares_cores_ && look == shm::Look::quick) return false;
      while (next_ < buffer_.size_ && buffer_.published(buffer_.behind(next_), round_)) ++next_;
      return next_ == buffer_.size_;
    }

   private:
    bool all_arrived() const;

    SharedBuffer& buffer_;
    Round round_;
    int next_ = 1;  // the ranks behind(1) to behind(next_ - 1) are known to have published
  };
  AllPublished all_published(Round round) { return {*this, round}; }

  // This rank may write its entry of a round, and its slot if the data needs one: all members
  // have released the round that used them before.
  class FreeSpace {
   public:
    FreeSpace(SharedBuffer& buffer, Round round, bool slot)
        : buffer_(buffer), needed_(needed(round, slot ? kSlots : kEntries)) {}
    FreeSpace(const FreeSpace&) = delete;
    FreeSpace& operator=(const FreeSpace&) = delete;
    ~FreeSpace() {
      if (__builtin_expect(waiting_, 0)) stop_waiting();
    }
    bool operator()(shm::Look look) {
      return __builtin_expect(buffer_.all_released_ >= needed_, 1) || look_at_all(look);
    }

   private:
    static constexpr std::uint32_t kSlots = shm::CollectiveBuffer::kSlots;
    static constexpr std::uint32_t kEntries = shm::CollectiveBuffer::kEntries;

    static Round needed(Round round, std::uint32_t depth) {
      return round < depth ? 0 : round - depth + 1;
    }
    bool look_at_all(shm::Look look);
    bool all_released() const;
    void stop_waiting();

    SharedBuffer& buffer_;
    Round needed_;          // all must have released the rounds before this one
    bool waiting_ = false;  // counted in space_wanted(): this rank sleeps or is about to
  };
  FreeSpace free_space(Round round, std::size_t bytes) {
    return {*this, round, bytes > shm::Entry::kBytes};
  }

 protected:
  shm::CollectiveBuffer& shared() { return *buffer_; }
  void close() { open_ = false; }

 private:
  static constexpr std::size_t kPrefetched = 2048;  // bytes at most

  shm::Entry& own_entry(Round round) {
    return buffer_->entry(static_cast<std::uint32_t>(rank_), round);
  }
  void note_written(std::size_t bytes);

  Communicator& comm_;
  std::pair<int, int> groups_;  // sizes; the second is 0 in an intra-communicator
  int rank_;
  int size_;
  shm::CollectiveBuffer* buffer_ = nullptr;
  shm::CollectiveBuffer::Slots slots_;
  std::size_t slot_bytes_ = 0;
  bool attached_ = false;
  bool open_ = false;
  bool shares_cores_;        // with other ranks: arrivals are counted, not looked at one by one
  Round released_ = 0;       // as last published
  Round all_released_ = 0;   // all members have released the rounds before this one
  std::size_t written_ = 0;  // bytes of each of its slots, as last published
  // CollectiveBuffer::arrivals() when all have arrived in the last round of that entry.
  std::array<std::uint32_t, shm::CollectiveBuffer::kEntries> expected_{};
  std::vector<shm::Doorbell*> bells_;  // of the other members
};

}  // namespace atl::coll
