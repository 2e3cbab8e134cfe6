#include "shm/window_lock.h"

namespace atl::shm {

bool WindowLock::try_lock_contended(std::uint64_t found, LockType type, std::uint32_t member) {
  while (is_free_for(type, found)) {
    std::uint64_t next = found + hold(type, member);
    if ((found & kWaitersMask) != 0) {
      if ((found & kBypassedMask) >= kMostBypassed * kBypassed) return false;
      next += kBypassed;
    }
    // Pairs with unlock(): what earlier holders wrote is visible.
    if (state_.compare_exchange_acq_rel(found, next)) return true;
  }
  return false;
}

WindowLock::Ticket WindowLock::enqueue(LockType type, std::uint32_t member) {
  ATL_DCHECK(member < kMostMembers);
  Ticket ticket;
  do {
    // Relaxed: only the number matters.
    ticket = next_ticket_.fetch_add_relaxed(2) | static_cast<Ticket>(type);
  } while (ticket == 0);
  // Pairs with the compare-exchange of the front, which sees that another member waits.
  state_.fetch_add_acq_rel(kWaiter);
  // Relaxed: the fetch_or before the last poll publishes it.
  tickets()[member].store_relaxed(ticket);
  return ticket;
}

// The waiter with the lowest ticket. Tickets wrap around, and those in use lie close together.
std::optional<std::uint32_t> WindowLock::front(std::uint32_t members) const {
  std::optional<std::uint32_t> front;
  Ticket lowest = 0;
  for (std::uint32_t member = 0; member < members; ++member) {
    // Relaxed: the caller's acquire of the state, or its fence, orders it.
    const Ticket ticket = tickets()[member].load_relaxed();
    if (ticket == 0) continue;
    if (!front || static_cast<std::int32_t>(ticket - lowest) < 0) {
      front = member;
      lowest = ticket;
    }
  }
  return front;
}

// The state after one waiter less. Without waiters the other fields of the queue are 0, so that the
// next member locks by the short path.
std::uint64_t WindowLock::without_waiter(std::uint64_t state) {
  state -= kWaiter;
  return (state & kWaitersMask) != 0 ? state : state & ~(kBypassedMask | kRing);
}

WindowLock::Attempt WindowLock::try_as_waiter(Ticket ticket, std::uint32_t member,
                                              std::uint32_t members, PollMode mode) {
  const LockType type = (ticket & 1) != 0 ? LockType::exclusive : LockType::shared;
  if (mode == PollMode::complete) {
    // Pairs with unlock(). Either it sees the bit, and this member's ticket and announcement, or
    // the load below sees that it has unlocked.
    state_.fetch_or_acq_rel(kRing);
  }
  // Pairs with unlock(): the last holder has cleared its ticket, if it had one.
  std::uint64_t found = state_.load_acquire();
  while (is_free_for(type, found) && front(members) == member) {
    std::uint64_t next = without_waiter(found + hold(type, member)) & ~kBypassedMask;
    // Those behind may have slept without the bit, when an unlock had rung this member.
    if ((next & kWaitersMask) != 0) next |= kRing;
    // Pairs with unlock(): what earlier holders wrote is visible.
    if (!state_.compare_exchange_acq_rel(found, next)) continue;
    // Relaxed: a shared lock is followed by the fence below, an exclusive one by unlock().
    tickets()[member].store_relaxed(0);
    if (type == LockType::exclusive) return {true, {}};
    // Pairs with sleeper_fence() of the next front. Either its last poll sees that this ticket is
    // cleared, or it is counted in the state loaded below, and its ticket is visible here.
    full_fence();
    // Relaxed: the fence orders it.
    if ((state_.load_relaxed() & kWaitersMask) == 0) return {true, {}};
    return {true, front(members)};
  }
  return {};
}

WindowLock::ToRing WindowLock::leave(std::uint32_t member, std::uint32_t members) {
  // Relaxed: the fence below orders it.
  tickets()[member].store_relaxed(0);
  // Relaxed: the compare-exchange validates the value.
  std::uint64_t found = state_.load_relaxed();
  // Pairs with the other members' changes of the state; the fence below orders the rest.
  while (!state_.compare_exchange_acq_rel(found, without_waiter(found))) {
  }
  // Pairs with sleeper_fence() of the next front, as in try_as_waiter().
  full_fence();
  return front(members);
}

WindowLock::ToRing WindowLock::unlock_contended(std::uint64_t found, LockType type,
                                                std::uint32_t member, std::uint32_t members) {
  const std::uint64_t mine = hold(type, member);
  for (;;) {
    ATL_CHECK(
        type == LockType::exclusive ? (found & kOwnerMask) == mine : (found & kSharedMask) != 0,
        "the lock of a window, which this rank holds, does not say so: state %llx",
        static_cast<unsigned long long>(found));
    std::uint64_t next = found - mine;
    const bool rings = is_free(next) && (next & kRing) != 0;
    if (rings) next &= ~kRing;
    // Pairs with the compare-exchange of the next holder; and with the fetch_or of each waiter,
    // whose ticket is visible if its bit was.
    if (!state_.compare_exchange_acq_rel(found, next)) continue;
    return rings ? front(members) : std::nullopt;
  }
}

WindowLock::ToRing WindowLock::forget(std::uint32_t dead, std::uint32_t members) {
  ATL_DCHECK(dead < members);
  // Relaxed: the fence below orders it.
  tickets()[dead].store_relaxed(0);
  const std::uint64_t held = hold(LockType::exclusive, dead);
  // Relaxed: the compare-exchange validates the value.
  std::uint64_t found = state_.load_relaxed();
  while ((found & kOwnerMask) == held) {
    // Pairs with the compare-exchange of the next holder. The bit `ring` stays: no harm.
    if (state_.compare_exchange_acq_rel(found, found - held)) break;
  }
  // Pairs with sleeper_fence() of the front, as in try_as_waiter().
  full_fence();
  return front(members);
}

std::optional<std::uint32_t> WindowLock::exclusive_holder(std::uint32_t members) const {
  // Relaxed: a snapshot.
  const std::uint64_t owner = (state_.load_relaxed() & kOwnerMask) / kOwner;
  if (owner == 0) return {};
  ATL_CHECK(owner <= members, "the lock of a window is held by member %u of %u",
            static_cast<unsigned>(owner - 1), members);
  return static_cast<std::uint32_t>(owner - 1);
}

std::uint32_t WindowLock::shared_holders() const {
  // Relaxed: a snapshot.
  return static_cast<std::uint32_t>(state_.load_relaxed() & kSharedMask);
}

}  // namespace atl::shm
