// What makes accumulates to one target atomic (chapter 12.7.1), in one of two modes that exclude
// each other:
//
//   small    Every origin executes atomic instructions on the data: small operations.
//   locked   Every origin claims the guard first. Bulk operations are plain loops then.
//
// A guard begins in mode small, and a small operation costs next to nothing there: the origin
// sets its own mark, checks the word, and clears the mark afterwards. The first bulk operation
// changes the mode and then waits until it has seen each mark clear once: small operations that
// begin later see the new mode. The origin needs a full fence between its store of the mark and its
// load of the word, and the claimant one between its store of the word and its loads of the marks:
// waker_fence() and sleeper_fence() of shm/doorbell.h, so that the claimant pays for both. Where
// FenceMode::alone occurs, or several threads of a member use the window, the guard must never be
// in mode small.
//
//   word:  run : 9 | never small : 1 | locked : 1 | holder + 1 : 16     0: mode small
//
//   small --bulk claim--> locked, held --release--> locked, free --claim--> locked, held
//         <--------- release of the kSmallRun-th small operation in a row ----------'
//
// Members are ranks in the window's group. The word is written by the holder, and by members that
// claim while no one holds it; a mark by its member. A claim that is refused is repeated by
// polling, with yields: a holder waits for no other member, but no one rings when it releases.
// All-zero memory is a guard in mode small, or a clear mark. Checked by
// shm/model/accumulate_guard.pml.
#pragma once

#include <cstdint>

#include "base/check.h"
#include "base/shared.h"
#include "shm/doorbell.h"

namespace atl::shm {

// The member is inside a small operation, on any target of the window. On a cache line that no
// other member writes.
class AccumulateMark {
 public:
  // Relaxed: waker_fence() follows.
  void set() { word_.store_relaxed(1); }
  // Pairs with is_set() of a claimant: the operation on the data comes before.
  void clear() { word_.store_release(0); }
  // Pairs with clear().
  bool is_set() const { return word_.load_acquire() != 0; }

 private:
  Shared<std::uint32_t> word_;
};

class AccumulateGuard {
 public:
  enum class Kind : std::uint8_t { small, bulk };

  struct Claim {
    enum Outcome : std::uint8_t {
      claimed,
      revoke,  // claimed; Revocation must be done before the operation
      held,    // by `holder`
      small,   // only for Kind::small: the guard is in mode small again
    };
    Outcome outcome;
    std::uint32_t holder = 0;
  };

  // Small operations in a row, by any members, after which the mode is small again.
  static constexpr std::uint32_t kSmallRun = 256;

  // Called once, before other members use it.
  void construct(bool never_small) {
    // Relaxed: the barrier or exchange that ends the making of the window publishes it.
    if (never_small) word_.store_relaxed(kLocked | kNeverSmall);
  }

  // --- a small operation in mode small ---

  // True: the operation's atomic instructions and leave_small() must follow. False: try_claim().
  bool enter_small(AccumulateMark& mark, FenceMode fence) const {
    mark.set();
    waker_fence(fence);  // pairs with sleeper_fence() in Revocation
    // Pairs with release(): what bulk operations wrote is visible.
    if (__builtin_expect(word_.load_acquire() == 0, 1)) return true;
    mark.clear();
    return false;
  }
  static void leave_small(AccumulateMark& mark) { mark.clear(); }

  // --- any operation in mode locked ---

  // `members` is the size of the group.
  Claim try_claim(Kind kind, std::uint32_t member, std::uint32_t members);

  // After `claimed`, or `revoke` and a Revocation that is done.
  void release(Kind kind, std::uint32_t member);

  // Claims what a dead member holds: `claimed` or `revoke`, since it may have died before it saw
  // all marks clear. `held` or `small`: another member was faster.
  Claim take_over(std::uint32_t dead, std::uint32_t member, std::uint32_t members);

 private:
  static constexpr std::uint32_t kHolderMask = 0xffff;
  static constexpr std::uint32_t kLocked = 1u << 16;
  static constexpr std::uint32_t kNeverSmall = 1u << 17;
  static constexpr std::uint32_t kRun = 1u << 18;  // one small operation
  static constexpr std::uint32_t kRunMask = 0x1ff * kRun;
  static_assert(kSmallRun * kRun <= kRunMask);

  static Claim held_by(std::uint32_t word, std::uint32_t members);

  Shared<std::uint32_t> word_;
};

// The wait of a claimant for small operations that began in mode small.
class Revocation {
 public:
  explicit Revocation(FenceMode fence);

  // A poll. `mark_of(member)` is the mark of a member as `const AccumulateMark&`.
  template <class MarkOf>
  bool done(std::uint32_t members, MarkOf mark_of) {
    // Each mark has to be seen clear only once: a member that sets it again sees the mode.
    while (next_ < members && !mark_of(next_).is_set()) ++next_;
    return next_ >= members;
  }

  std::uint32_t awaited() const { return next_; }  // the member whose mark was set

  // The awaited member has died, and its operation is not going on any more.
  void skip() { ++next_; }

 private:
  std::uint32_t next_ = 0;
};

}  // namespace atl::shm
