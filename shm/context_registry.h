// Context ids of a job: who talks in which communicator never meets another.
//
// One member of a new communicator takes an id for all and tells the others;
// no agreement is needed. The id is free again when every member released it.
// A generation in the id keeps what was still under way under an old id from
// matching the next communicator that gets the same number. The lowest free
// number is taken, so that tables by number grow with what is in use at a time.
//
// Every step is one atomic operation: a process that dies between two of them
// leaves an id, or the 64 of one word of the map, that nobody gets any more, and
// nothing else.
#pragma once

#include <cstdint>
#include <optional>

#include "base/shared.h"

namespace atl::shm {

// Number in bits 0-19, generation in bits 20-30; bit 31 stays free for the
// runtime to tell two kinds of traffic apart.
using ContextId = std::uint32_t;

inline constexpr ContextId kNoContext = ~0u;  // none at all

class ContextRegistry {
 public:
  static constexpr std::uint32_t kNumberBits = 20;
  static constexpr std::uint32_t kContexts = 1u << kNumberBits;
  static constexpr std::uint32_t kGenerations = 1u << (31 - kNumberBits);

  static std::uint32_t number(ContextId id) { return id & (kContexts - 1); }
  static std::uint32_t generation(ContextId id) { return id >> kNumberBits & (kGenerations - 1); }

  // Takes an id on behalf of `members` ranks. Nothing when all are in use. With
  // no members it is the taker's alone, until share().
  std::optional<ContextId> take(std::uint32_t members);

  // The taker, before it releases: there are `members`. Others of them may have
  // released already.
  void share(ContextId id, std::uint32_t members);

  // One member lets go. True for the last one, which is to free the id when
  // nothing is left that was made for it.
  bool release(ContextId id);
  void free(ContextId id);

  // What one member made for all: where their collective buffer is (segment.h), 0 when
  // the id is taken. Who frees the id stores 0 again before.
  Shared<std::uint64_t>& buffer(ContextId id) { return holders_[number(id)].buffer; }

  std::uint32_t in_use() const;  // a snapshot, for tests and tools

 private:
  static constexpr std::uint32_t kWords = kContexts / 64;

  std::optional<std::uint32_t> take_in(std::uint32_t w);
  void note_full(std::uint32_t w);

  Shared<std::uint64_t> full_[kWords / 64];  // one bit a word of taken_: none is left there
  Shared<std::uint64_t> taken_[kWords];      // one bit a number
  struct Holders {
    Shared<std::uint32_t> members;     // yet to release; below zero when some did before share()
    Shared<std::uint32_t> generation;  // counts how often the number was freed
    Shared<std::uint64_t> buffer;
  };
  Holders holders_[kContexts];
};

}  // namespace atl::shm
