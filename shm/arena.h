// The shared memory of one communicator, through which its collectives go.
//
//   line 0       capacity_, cell_bytes_     constant
//   line 1       room_wanted_               written by members that wait for room
//   line 2       arrivals_[kEntries]        written by all
//   mismatch_    what went wrong            written by the first who sees it
//   members_     Member[capacity_]          each written by its member
//   cells        kCells cells of cell_bytes_ each for every member, written by it
//
// A collective takes steps, which all members count alike. In a step a member may
// post an entry: what it calls, and data, in the entry itself or in a cell. Step s
// uses entry s % kEntries and cell s % kCells, so a member may post only when
// everybody who reads what it posted there before has left that step: room.
//
// All-zero memory, after construct(), is an arena in which nothing was posted. The last
// member to release the context leaves its memory all zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

struct alignas(kCacheLine) Entry {
  static constexpr std::size_t kBytes = 32;

  // The step's number and one, stored last: publishes the entry and its cell.
  Shared<std::uint64_t> posted;
  std::uint64_t what;  // the call, for comparison
  std::byte data[kBytes];
  std::uint64_t bytes;  // of data in the call, likewise
  std::uint64_t start;  // where the data in the cell begins, less than a cache line
};
static_assert(sizeof(Entry) == kCacheLine);

class alignas(kCacheLine) Arena {
 public:
  static constexpr std::uint32_t kEntries = 8;
  static constexpr std::uint32_t kCells = 4;

  struct Member {
    Entry entries[kEntries];
    // The member reads nothing any more that was posted in steps before this one.
    // Not 0 in a member that has posted anything.
    alignas(kCacheLine) Shared<std::uint64_t> left;
    // Bytes at the start of each of its cells that it may have written.
    Shared<std::uint64_t> written;
  };

  // Members call what does not match. Whoever sees it first claims this record and
  // fills it, for all the others.
  struct alignas(kCacheLine) Mismatch {
    // The step's number and one, stored last: publishes the rest. 0: there is none.
    Shared<std::uint64_t> step;
    Shared<std::uint32_t> claims;
    std::int32_t error_class;
    char text[7 * kCacheLine - 16];  // a sentence, ends with a zero byte
  };
  static_assert(sizeof(Mismatch) == 7 * kCacheLine);

  // Bytes of one for so many members.
  static std::size_t footprint(std::uint32_t capacity, std::uint32_t cell_bytes);
  std::size_t footprint() const { return footprint(capacity_, cell_bytes_); }

  // Called once, on zeroed memory; `cell_bytes` is a multiple of the cache line. Cells
  // have a line more, so that data may begin anywhere in the first one.
  void construct(std::uint32_t capacity, std::uint32_t cell_bytes) {
    capacity_ = capacity;
    cell_bytes_ = cell_bytes;
  }

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t cell_bytes() const { return cell_bytes_; }

  Member& member(std::uint32_t rank) { return members()[rank]; }
  Entry& entry(std::uint32_t rank, std::uint64_t step) {
    return member(rank).entries[step % kEntries];
  }

  // Where the cells are, for a member to keep from the start: what the arena says of
  // itself may be damaged later.
  struct Cells {
    std::byte* first = nullptr;
    std::size_t stride = 0;  // bytes from one to the next

    std::byte* at(std::uint32_t rank, std::uint64_t step) const {
      return first + (std::size_t{rank} * kCells + step % kCells) * stride;
    }
  };
  Cells cells();
  std::byte* cell(std::uint32_t rank, std::uint64_t step) { return cells().at(rank, step); }

  // How many entries of number step % kEntries were posted so far, by all members
  // together; counted where members wait for everybody's.
  Shared<std::uint32_t>& arrivals(std::uint64_t step) { return arrivals_[step % kEntries]; }

  // How many members wait for others to leave a step.
  Shared<std::uint32_t>& room_wanted() { return room_wanted_; }

  Mismatch& mismatch() { return mismatch_; }

  // Nobody uses it any more. Bytes of its cells that were written, and all of what was
  // written becomes zero again.
  std::size_t written();
  void clear();

 private:
  Member* members() { return reinterpret_cast<Member*>(this + 1); }

  std::uint32_t capacity_;
  std::uint32_t cell_bytes_;
  alignas(kCacheLine) Shared<std::uint32_t> room_wanted_;
  alignas(kCacheLine) Shared<std::uint32_t> arrivals_[kEntries];
  Mismatch mismatch_;
};

}  // namespace atl::shm
