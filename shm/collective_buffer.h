// The shared memory of one communicator for its collectives.
//
//   line 0       capacity_, slot_bytes_     constant
//   line 1       space_wanted_              written by members that wait for free space
//   line 2       arrivals_[kEntries]        written by all members
//   mismatch_    calls that do not match    written by the first member that detects them
//   members()    Member[capacity_]          each written by its member
//   slots()      kSlots slots for every member, written by it
//
// A collective consists of rounds, which all members number alike. In a round a member publishes
// at most one entry: the signature of its call, and its contribution, in the entry itself or in a
// slot. Round r uses entry r % kEntries and slot r % kSlots. A member may therefore overwrite an
// entry or slot only after all its readers have released the round in which it was last published.
//
// All-zero memory, after construct(), is a collective buffer in which nothing was published.
// The last member to release the context restores the memory to zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

struct alignas(kCacheLine) Entry {
  static constexpr std::size_t kBytes = 32;

  // Number of the round, plus one. Stored last: publishes the entry and its slot.
  Shared<std::uint64_t> published;
  std::uint64_t call;  // first word of the call's signature
  std::byte data[kBytes];
  std::uint64_t bytes;  // second word of the call's signature
  std::uint64_t start;  // offset of the contribution in the slot, less than a cache line
};
static_assert(sizeof(Entry) == kCacheLine);

class alignas(kCacheLine) CollectiveBuffer {
 public:
  static constexpr std::uint32_t kEntries = 8;
  static constexpr std::uint32_t kSlots = 4;

  struct Member {
    Entry entries[kEntries];
    // The member no longer reads anything that was published in rounds before this one.
    // Not 0 once the member has published anything.
    alignas(kCacheLine) Shared<std::uint64_t> released;
    // Bytes at the start of each of the member's slots that it may have written.
    Shared<std::uint64_t> written;
  };

  // The error of members that call collectives that do not match. The first member that detects
  // the mismatch claims this struct and fills it in for all others.
  struct alignas(kCacheLine) Mismatch {
    // Number of the round, plus one. Stored last: publishes the other fields. 0: no mismatch.
    Shared<std::uint64_t> round;
    Shared<std::uint32_t> claims;
    std::int32_t error_class;
    char text[7 * kCacheLine - 16];  // the error message, zero-terminated
  };
  static_assert(sizeof(Mismatch) == 7 * kCacheLine);

  // Size of a collective buffer for `capacity` members, in bytes.
  static std::size_t footprint(std::uint32_t capacity, std::uint32_t slot_bytes);
  std::size_t footprint() const { return footprint(capacity_, slot_bytes_); }

  // Called once, on zeroed memory; `slot_bytes` is a multiple of the cache line. Each slot has
  // one cache line more than `slot_bytes`, so that data may begin anywhere in its first line.
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

  // Where the slots are. Each member stores a copy when it attaches, because another process may
  // overwrite the buffer's own fields later by mistake.
  struct Slots {
    std::byte* first = nullptr;
    std::size_t stride = 0;  // bytes from one slot to the next

    std::byte* at(std::uint32_t rank, std::uint64_t round) const {
      return first + (std::size_t{rank} * kSlots + round % kSlots) * stride;
    }
  };
  Slots slots();
  std::byte* slot(std::uint32_t rank, std::uint64_t round) { return slots().at(rank, round); }

  // How many times members have published entry round % kEntries so far, counted only in rounds
  // in which members wait for all.
  Shared<std::uint32_t>& arrivals(std::uint64_t round) { return arrivals_[round % kEntries]; }

  // How many members wait for others to release a round (free space).
  Shared<std::uint32_t>& space_wanted() { return space_wanted_; }

  Mismatch& mismatch() { return mismatch_; }
  const Mismatch& mismatch() const { return mismatch_; }

  // For the last member, when no other member uses the buffer any more. written(): bytes of all
  // slots that may have been written. clear(): zeroes everything that was written.
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
