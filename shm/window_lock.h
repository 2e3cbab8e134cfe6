// The lock of one target of a window (MPI_Win_lock, chapter 12.5.3): shared or exclusive, taken by
// any member of the window's group without help of the target.
//
//   line 0      state_, next_ticket_        written by all members
//   tickets()   one entry for each member   written by that member
//
//   state    shared holders:16 | waiters:16 | exclusive holder + 1:16 | bypassed:15 | ring:1
//   ticket   a number that increases, lowest bit: exclusive. 0: the member does not wait.
//
// Members are ranks in the window's group. A member takes the lock with one compare-exchange when
// it is free for it, and unlocks with one. Otherwise it joins the queue, and polls and sleeps as in
// any wait (shm/waiting.h). Only the waiter with the lowest ticket, the front, may acquire. Members
// that arrive may bypass the queue while the lock is free for them, because a woken waiter needs
// some time, but at most kMostBypassed times in a row. So no waiter starves.
//
// Wake-ups. `ring` set means that the unlock which makes the lock free must ring the front. It
// clears the bit in the same step. Each waiter sets the bit after it has announced that it sleeps
// and before its last poll, and the front sets it when it acquires and others wait. A waiter whose
// last poll found the lock held is therefore rung, or another waiter is that is awake when it
// becomes the front. A front that acquires the lock shared lets the next front follow and rings it,
// and so does a waiter that leaves the queue, because it may have been rung on behalf of others.
//
// A member that dies while it joins or leaves the queue, or waits, may leave `waiters` too large by
// one; forget() does not correct that. Then members take the longer path and bypass a queue that is
// empty, which is slower and does no other harm.
//
// A dead exclusive holder is in the word, and forget() unlocks for it. Whether a dead member was
// among the shared holders cannot be seen here.
//
// All-zero memory is an unlocked lock. One thread of a member at a time calls these functions.
// Checked by shm/model/window_lock.pml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/check.h"
#include "base/shared.h"
#include "shm/base/cache_line.h"
#include "shm/waiting.h"

namespace atl::shm {

enum class LockType : std::uint8_t { shared = 0, exclusive = 1 };

class alignas(kCacheLine) WindowLock {
 public:
  using Ticket = std::uint32_t;

  // The member whose doorbell the caller must ring, after waker_fence().
  using ToRing = std::optional<std::uint32_t>;

  struct Attempt {
    bool locked = false;
    ToRing ring;
  };

  static constexpr std::uint32_t kMostMembers = 0xffff;
  static constexpr std::uint32_t kMostBypassed = 256;  // acquisitions past the front

  // Bytes of a lock for `members` members, with the tickets behind it.
  static constexpr std::size_t footprint(std::uint32_t members) {
    return sizeof(WindowLock) + round_up(members * sizeof(Ticket), kCacheLine);
  }

  // False when the lock is held, or kMostBypassed members in a row have bypassed the queue.
  bool try_lock(LockType type, std::uint32_t member) {
    // Not read before: that would transfer the cache line twice.
    std::uint64_t found = 0;
    // Pairs with unlock(): what earlier holders wrote is visible.
    if (__builtin_expect(state_.compare_exchange_acq_rel(found, hold(type, member)), 1))
      return true;
    return try_lock_contended(found, type, member);
  }

  // Joins the queue. Polls of try_as_waiter() must follow, until it locks, or leave().
  Ticket enqueue(LockType type, std::uint32_t member);

  // A poll of a waiter. PollMode::complete for the poll after Doorbell::announce() and
  // sleeper_fence(): the waiter may sleep afterwards. `members` is the size of the group.
  Attempt try_as_waiter(Ticket ticket, std::uint32_t member, std::uint32_t members, PollMode mode);

  // Leaves the queue without the lock.
  ToRing leave(std::uint32_t member, std::uint32_t members);

  ToRing unlock(LockType type, std::uint32_t member, std::uint32_t members) {
    std::uint64_t found = hold(type, member);
    // Pairs with the compare-exchange of the next holder: what this one wrote comes before.
    if (__builtin_expect(state_.compare_exchange_acq_rel(found, 0), 1)) return {};
    return unlock_contended(found, type, member, members);
  }

  // Called by any member, and by several, when a member has died: it does not wait any more, and
  // does not hold the lock exclusively any more.
  ToRing forget(std::uint32_t dead, std::uint32_t members);

  // --- for observers; a snapshot ---

  std::optional<std::uint32_t> exclusive_holder(std::uint32_t members) const;
  std::uint32_t shared_holders() const;
  // Relaxed: a snapshot.
  bool waits(std::uint32_t member) const { return tickets()[member].load_relaxed() != 0; }
  std::optional<std::uint32_t> front(std::uint32_t members) const;  // of the queue

 private:
  static constexpr std::uint64_t kShared = 1;                       // one holder
  static constexpr std::uint64_t kWaiter = std::uint64_t{1} << 16;  // one waiter
  static constexpr std::uint64_t kOwner = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kBypassed = std::uint64_t{1} << 48;
  static constexpr std::uint64_t kRing = std::uint64_t{1} << 63;

  static constexpr std::uint64_t kSharedMask = 0xffff * kShared;
  static constexpr std::uint64_t kWaitersMask = 0xffff * kWaiter;
  static constexpr std::uint64_t kOwnerMask = 0xffff * kOwner;
  static constexpr std::uint64_t kBypassedMask = 0x7fff * kBypassed;

  static constexpr std::uint64_t hold(LockType type, std::uint32_t member) {
    return type == LockType::exclusive ? (member + std::uint64_t{1}) * kOwner : kShared;
  }
  static bool is_free(std::uint64_t state) { return (state & (kSharedMask | kOwnerMask)) == 0; }
  static bool is_free_for(LockType type, std::uint64_t state) {
    return type == LockType::exclusive ? is_free(state) : (state & kOwnerMask) == 0;
  }
  static std::uint64_t without_waiter(std::uint64_t state);

  bool try_lock_contended(std::uint64_t found, LockType type, std::uint32_t member);
  ToRing unlock_contended(std::uint64_t found, LockType type, std::uint32_t member,
                          std::uint32_t members);

  Shared<Ticket>* tickets() { return reinterpret_cast<Shared<Ticket>*>(this + 1); }
  const Shared<Ticket>* tickets() const {
    return reinterpret_cast<const Shared<Ticket>*>(this + 1);
  }

  Shared<std::uint64_t> state_;
  Shared<std::uint32_t> next_ticket_;  // in steps of 2; wraps around
};
static_assert(sizeof(WindowLock) == kCacheLine);

}  // namespace atl::shm
