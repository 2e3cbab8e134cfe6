#include "runtime/rma/passive_target.h"

#include <algorithm>

#include "base/shared.h"
#include "runtime/p2p/blocking.h"
#include "runtime/rma/ended_ranks.h"
#include "runtime/rma/epochs.h"

namespace atl::rma {
namespace {

using shm::LockType;

Error find_target(WindowState& state, int rank, Target*& target) {
  if (rank < 0 || rank >= state.size()) return no_such_rank(state, "rank", rank);
  target = &state.targets[static_cast<std::size_t>(rank)];
  return {};
}

// What a call waits for that waits for a lock.
struct LockWait {
  WindowState& state;
  Target& target;
  LockType type;
};

bool may_hold(WindowState& state, Target& member, const Target& locked) {
  const WindowBlock* block = state.block_of(member);
  return block != nullptr &&
         block->may_hold(state.members(), static_cast<std::uint32_t>(state.rank_of(locked)));
}

// A member that has ended while it held or wanted the lock; null: none.
Target* dead_holder(WindowState& state, const Target& locked) {
  for (Target& member : state.targets) {
    if (is_dead(member.world_rank) && may_hold(state, member, locked)) return &member;
  }
  return nullptr;
}

// Tells who holds the lock: the exclusive holder, else the first of the shared ones.
void describe_lock(const void* listed, WaitDescription& now) {
  const auto& wait = *static_cast<const LockWait*>(listed);
  WindowState& state = wait.state;
  const auto exclusive = wait.target.block->lock().exclusive_holder(state.members());
  now.wanted = wait.type == LockType::exclusive ? shm::LockMode::exclusive : shm::LockMode::shared;
  now.held = exclusive ? shm::LockMode::exclusive : shm::LockMode::shared;
  now.holder = exclusive ? static_cast<std::int32_t>(*exclusive) : -1;
  for (Target& member : state.targets) {
    if (now.holder >= 0) return;
    const int rank = state.rank_of(member);
    const bool waits = wait.target.block->lock().waits(static_cast<std::uint32_t>(rank));
    if (!waits && may_hold(state, member, wait.target)) now.holder = rank;
  }
}

void ring(const WindowState& state, shm::WindowLock::ToRing member) {
  if (__builtin_expect(!member.has_value(), 1)) return;
  ATL_CHECK(*member < state.members(), "the lock of a window names a waiter that is no member");
  shm::waker_fence(process.fence);  // pairs with sleeper_fence() in shm::wait_until()
  process.segment->slot(state.targets[*member].world_rank).doorbell.ring();
}

void set_may_hold(WindowState& state, const Target& target, bool may) {
  state.block->set_may_hold(state.members(), static_cast<std::uint32_t>(state.rank_of(target)),
                            may);
}

// Takes the lock, which another member holds or wants.
[[gnu::cold]] Error wait_for_lock(WindowState& state, Target& target, LockType type) {
  shm::WindowLock& lock = target.block->lock();
  const auto member = static_cast<std::uint32_t>(state.rank);
  LockWait wait{state, target, type};
  const WaitDescription description{.communicator = state.comm,
                                    .peer = state.rank_of(target),
                                    .kind = shm::WaitKind::lock,
                                    .listed = &wait,
                                    .update = describe_lock};
  state.name_communicator();
  target.locking = true;
  const auto ticket = lock.enqueue(type, member);
  bool taken = false;
  Target* dead = nullptr;
  std::uint32_t polls = 0;
  const auto poll = [&](shm::PollMode mode) {
    constexpr std::uint32_t kCheckInterval = 4096;  // polls; a rank that never sleeps also checks
    const auto attempt = lock.try_as_waiter(ticket, member, state.members(), mode);
    taken = attempt.locked;
    ring(state, attempt.ring);
    const bool checks = mode == shm::PollMode::complete || ++polls % kCheckInterval == 0;
    if (!taken && checks) dead = dead_holder(state, target);
    return taken || p2p::engine->poll(mode);
  };
  const auto give_up = [&] {
    target.locking = false;
    ring(state,
         taken ? lock.unlock(type, member, state.members()) : lock.leave(member, state.members()));
    set_may_hold(state, target, false);
  };
  try {
    p2p::block_until([&] { return taken || dead != nullptr; }, description, poll);
  } catch (...) {  // no memory for a message that arrived: the call fails
    give_up();
    throw;
  }
  if (taken) {
    target.locking = false;
    return {};
  }
  give_up();
  return make_error(MPI_ERR_OTHER,
                    "rank=%d of %s: rank %d has ended while it held or wanted the lock",
                    state.rank_of(target), state.label().c_str(), state.rank_of(*dead));
}

Error take_lock(WindowState& state, Target& target, LockType type) {
  WindowBlock* block = state.block_of(target);
  if (block == nullptr) return no_block(state, target);
  set_may_hold(state, target, true);
  const auto member = static_cast<std::uint32_t>(state.rank);
  if (__builtin_expect(block->lock().try_lock(type, member), 1)) return {};
  return wait_for_lock(state, target, type);
}

void release_lock(WindowState& state, Target& target) {
  const Hold hold = std::exchange(target.hold, Hold::none);
  if (hold == Hold::unlocked) return;
  const auto type = hold == Hold::exclusive ? LockType::exclusive : LockType::shared;
  const auto member = static_cast<std::uint32_t>(state.rank);
  ring(state, target.block->lock().unlock(type, member, state.members()));
  set_may_hold(state, target, false);
}

Error check_passive(const WindowState& state) {
  if (state.epoch == Epoch::locks || state.epoch == Epoch::lock_all) return {};
  return make_error(MPI_ERR_RMA_SYNC,
                    "win=%s: no lock is held; MPI_Win_lock or MPI_Win_lock_all opens the epoch",
                    state.name().c_str());
}

// Checks that this process has locked the target.
Error check_locked(WindowState& state, int rank) {
  Target* target = nullptr;
  if (Error error = find_target(state, rank, target)) return error;
  if (__builtin_expect(target->hold != Hold::none, 1) || state.epoch == Epoch::lock_all) return {};
  if (state.epoch != Epoch::locks) return check_passive(state);
  return make_error(MPI_ERR_RMA_SYNC, "rank=%d of %s is not locked", rank, state.label().c_str());
}

// Load and store access to the memory of others needs their locks at once.
bool shares_memory(const WindowState& state) {
  return state.flavor == MPI_WIN_FLAVOR_SHARED || state.queried;
}

}  // namespace

Error lock(int lock_type, int rank, int assertion, Window& win) {
  WindowState& state = state_of(win);
  if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED) {
    return make_error(MPI_ERR_LOCKTYPE,
                      "lock_type=%d is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED", lock_type);
  }
  if (Error error = check_assertion(assertion, MPI_MODE_NOCHECK)) return error;
  Target* target = nullptr;
  if (Error error = find_target(state, rank, target)) return error;
  if (state.epoch != Epoch::locks) {
    if (Error error = check_no_access(state, "MPI_Win_lock")) return error;
  } else if (target->hold != Hold::none || target->locking) {
    return make_error(MPI_ERR_RMA_SYNC, "rank=%d of %s is locked by this process already", rank,
                      state.label().c_str());
  }
  const bool exclusive = lock_type == MPI_LOCK_EXCLUSIVE;
  Hold how = Hold::unlocked;
  if ((assertion & MPI_MODE_NOCHECK) == 0) {
    const LockType type = exclusive ? LockType::exclusive : LockType::shared;
    if (Error error = take_lock(state, *target, type)) return error;
    how = exclusive ? Hold::exclusive : Hold::shared;
  }
  if (state.epoch != Epoch::locks) open_epoch(state, Epoch::locks, "MPI_Win_lock");
  ++state.locked;
  target->hold = how;
  return {};
}

Error unlock(int rank, Window& win) {
  WindowState& state = state_of(win);
  Target* target = nullptr;
  if (Error error = find_target(state, rank, target)) return error;
  if (state.epoch != Epoch::locks) return wrong_epoch(state, "MPI_Win_lock");
  if (target->hold == Hold::none) {
    return make_error(MPI_ERR_RMA_SYNC, "rank=%d of %s is not locked by this process", rank,
                      state.label().c_str());
  }
  release_lock(state, *target);
  if (--state.locked == 0) open_epoch(state, Epoch::none, "MPI_Win_unlock");
  return {};
}

Error lock_all(int assertion, Window& win) {
  WindowState& state = state_of(win);
  if (Error error = check_assertion(assertion, MPI_MODE_NOCHECK)) return error;
  if (Error error = check_no_access(state, "MPI_Win_lock_all")) return error;
  const bool checks = (assertion & MPI_MODE_NOCHECK) == 0;
  open_epoch(state, Epoch::lock_all, "MPI_Win_lock_all");
  state.open_to_all = !checks;
  if (!checks) return {};
  const int first = shares_memory(state) ? 0 : state.rank;
  const int end = shares_memory(state) ? state.size() : state.rank + 1;
  for (int rank = first; rank < end; ++rank) {
    if (Error error = lock_lazily(state, state.targets[static_cast<std::size_t>(rank)])) {
      static_cast<void>(unlock_all(win));
      return error;
    }
  }
  return {};
}

Error lock_lazily(WindowState& state, Target& target) {
  if (__builtin_expect(target.locking, 0)) {  // by another thread
    p2p::block_until([&] { return !target.locking; }, {.communicator = state.comm});
    if (target.hold != Hold::none) return {};
  }
  if (Error error = take_lock(state, target, LockType::shared)) return error;
  hold(state, state.rank_of(target), Hold::shared);
  return {};
}

Error unlock_all(Window& win) {
  WindowState& state = state_of(win);
  if (state.epoch != Epoch::lock_all) return wrong_epoch(state, "MPI_Win_lock_all");
  for (const int rank : state.held) {
    release_lock(state, state.targets[static_cast<std::size_t>(rank)]);
  }
  state.held.clear();
  open_epoch(state, Epoch::none, "MPI_Win_unlock_all");
  return {};
}

// The stores of the operations were executed when their calls returned. The fence completes them:
// no later load of this process is executed before another process can see them.
Error flush(int rank, Window& win) {
  if (Error error = check_locked(state_of(win), rank)) return error;
  full_fence();  // pairs with itself in the flush of another process
  return {};
}

Error flush_all(Window& win) {
  if (Error error = check_passive(state_of(win))) return error;
  full_fence();  // as in flush()
  return {};
}

Error flush_local(int rank, Window& win) { return check_locked(state_of(win), rank); }

Error flush_local_all(Window& win) { return check_passive(state_of(win)); }

Error sync(Window& win) {
  static_cast<void>(state_of(win));
  full_fence();  // pairs with itself in another process: loads and stores on both sides of it
  return {};
}

}  // namespace atl::rma
