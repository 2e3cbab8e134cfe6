// Allocator of the job's context ids, which keep the messages of different communicators apart.
//
// One member of a new communicator takes an id for all members and sends it to the others;
// no agreement is needed. The id is free again when every member has released it.
// The generation in the id prevents a message that is still under way with an old id from
// matching in the next communicator that gets the same number. take() returns the lowest free
// number, so that tables indexed by number grow only with the number of ids in use at a time.
//
// Every step is one atomic operation. A process that dies between two of them leaks one id, or
// the 64 ids of one word of the map, and does no other harm.
#pragma once

#include <cstdint>
#include <optional>

#include "base/shared.h"

namespace atl::shm {

// Number in bits 0-19, generation in bits 20-30. Bit 31 is always 0 here; the runtime uses it to
// distinguish two kinds of traffic.
using ContextId = std::uint32_t;

inline constexpr ContextId kNoContext = ~0u;  // not an id

class ContextRegistry {
 public:
  static constexpr std::uint32_t kNumberBits = 20;
  static constexpr std::uint32_t kContexts = 1u << kNumberBits;
  static constexpr std::uint32_t kGenerations = 1u << (31 - kNumberBits);

  static std::uint32_t number(ContextId id) { return id & (kContexts - 1); }
  static std::uint32_t generation(ContextId id) { return id >> kNumberBits & (kGenerations - 1); }

  // Takes an id on behalf of `members` ranks. Returns nothing when all are in use. With
  // `members` = 0 the caller sets the number of members later, with share().
  std::optional<ContextId> take(std::uint32_t members);

  // Called by the rank that took the id with `members` = 0, before it releases the id: sets the
  // number of members. Other members may have released it already.
  void share(ContextId id, std::uint32_t members);

  // Releases the id on behalf of one member. True for the last member, which must call free()
  // after it has disposed of everything that was made for the id.
  bool release(ContextId id);
  void free(ContextId id);

  // Location of the communicator's collective buffer (Segment::make_collective_buffer()), stored
  // by one member for all. 0 when the id is taken; the last member stores 0 again before free().
  Shared<std::uint64_t>& buffer(ContextId id) { return holders_[number(id)].buffer; }

  std::uint32_t in_use() const;  // a snapshot, for tests and tools

 private:
  static constexpr std::uint32_t kWords = kContexts / 64;

  std::optional<std::uint32_t> take_in(std::uint32_t w);
  void note_full(std::uint32_t w);

  Shared<std::uint64_t> full_[kWords / 64];  // one bit per word of taken_: all its bits are set
  Shared<std::uint64_t> taken_[kWords];      // one bit per number
  struct Holders {
    // Number of members that have yet to release; below zero if some released before share().
    Shared<std::uint32_t> members;
    Shared<std::uint32_t> generation;  // counts how often the number was freed
    Shared<std::uint64_t> buffer;
  };
  Holders holders_[kContexts];
};

}  // namespace atl::shm
