// The shared memory of one communicator through which its collectives go.
//
//   line 0       capacity_, slot_bytes_     constant
//   line 1       space_wanted_              written by members that wait for free space
//   line 2       arrivals_[kEntries]        written by all
//   mismatch_    calls that do not match    written by the first member that finds them
//   members_     Member[capacity_]          each written by its member
//   slots        kSlots slots of slot_bytes_ for every member, written by it
//
// A collective takes rounds, which all members number alike. In a round a member publishes
// one entry: the signature of its call, and its contribution, in the entry itself or in a
// buffer slot. Round r uses entry r % kEntries and slot r % kSlots, so a member may write
// there only when all who read what it published in them before have released that round.
//
// All-zero memory, after construct(), is a collective buffer in which nothing was published.
// The last member to release the context leaves its memory all zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

struct alignas(kCacheLine) Entry {
  static constexpr std::size_t kBytes = 32;

  // The number of the round, plus one. Stored last: publishes the entry and its slot.
  Shared<std::uint64_t> published;
  std::uint64_t call;  // the first word of the call's signature
  std::byte data[kBytes];
  std::uint64_t bytes;  // the second word
  std::uint64_t start;  // offset of the contribution in the slot, less than a cache line
};
static_assert(sizeof(Entry) == kCacheLine);

class alignas(kCacheLine) CollectiveBuffer {
 public:
  static constexpr std::uint32_t kEntries = 8;
  static constexpr std::uint32_t kSlots = 4;

  struct Member {
    Entry entries[kEntries];
    // The member reads nothing any more that was published in rounds before this one.
    // Not 0 once it has published anything.
    alignas(kCacheLine) Shared<std::uint64_t> released;
    // Bytes at the start of each of its slots that it may have written.
    Shared<std::uint64_t> written;
  };

  // Members call collectives that do not match. The first member that finds it claims this
  // record and fills it, for all the others.
  struct alignas(kCacheLine) Mismatch {
    // The number of the round, plus one. Stored last: publishes the rest. 0: no mismatch.
    Shared<std::uint64_t> round;
    Shared<std::uint32_t> claims;
    std::int32_t error_class;
    char text[7 * kCacheLine - 16];  // a sentence, ends with a zero byte
  };
  static_assert(sizeof(Mismatch) == 7 * kCacheLine);

  // Bytes of a collective buffer for so many members.
  static std::size_t footprint(std::uint32_t capacity, std::uint32_t slot_bytes);
  std::size_t footprint() const { return footprint(capacity_, slot_bytes_); }

  // Called once, on zeroed memory; `slot_bytes` is a multiple of the cache line. Slots have
  // a line more, so that data may begin anywhere in the first one.
  void construct(std::uint32_t capacity, std::uint32_t slot_bytes) {
    capacity_ = capacity;
    slot_bytes_ = slot_bytes;
  }

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t slot_bytes() const { return slot_bytes_; }

  Member& member(std::uint32_t rank) { return members()[rank]; }
  Entry& entry(std::uint32_t rank, std::uint64_t round) {
    return member(rank).entries[round % kEntries];
  }

  // Where the slots are. A member keeps this from the start: the buffer's own fields may be
  // damaged later by another process.
  struct Slots {
    std::byte* first = nullptr;
    std::size_t stride = 0;  // bytes from one to the next

    std::byte* at(std::uint32_t rank, std::uint64_t round) const {
      return first + (std::size_t{rank} * kSlots + round % kSlots) * stride;
    }
  };
  Slots slots();
  std::byte* slot(std::uint32_t rank, std::uint64_t round) { return slots().at(rank, round); }

  // How many entries of number round % kEntries all members together have published so far,
  // in rounds in which members wait for all.
  Shared<std::uint32_t>& arrivals(std::uint64_t round) { return arrivals_[round % kEntries]; }

  // How many members wait for others to release a round.
  Shared<std::uint32_t>& space_wanted() { return space_wanted_; }

  Mismatch& mismatch() { return mismatch_; }
  const Mismatch& mismatch() const { return mismatch_; }

  // Nobody uses it any more. Bytes of its slots that were written, and all of what was
  // written becomes zero again.
  std::size_t written();
  void clear();

 private:
  Member* members() { return reinterpret_cast<Member*>(this + 1); }

  std::uint32_t capacity_;
  std::uint32_t slot_bytes_;
  alignas(kCacheLine) Shared<std::uint32_t> space_wanted_;
  alignas(kCacheLine) Shared<std::uint32_t> arrivals_[kEntries];
  Mismatch mismatch_;
};

}  // namespace atl::shm
