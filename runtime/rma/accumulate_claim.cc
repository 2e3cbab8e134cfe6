#include "runtime/rma/accumulate_claim.h"

#include <optional>

#include "runtime/rma/ended_ranks.h"
#include "shm/waiting.h"

namespace atl::rma {
namespace {

using Claim = shm::AccumulateGuard::Claim;

// Between two polls. Holders wait for no other member, so yielding is enough, and nobody has to
// wake this process.
class Pause {
 public:
  void operator()() {
    if (!patience_.wait_a_little()) shm::yield_core();
  }

 private:
  shm::Patience patience_{process.policy};
};

// Waits for small operations that began before the claim.
void revoke(WindowState& state) {
  shm::Revocation revocation(process.fence);
  Pause pause;
  const auto mark_of = [&](std::uint32_t member) -> const shm::AccumulateMark& {
    return state.targets[member].block->mark;
  };
  while (!revocation.done(state.members(), mark_of)) {
    if (is_dead(state.targets[revocation.awaited()].world_rank)) {
      revocation.skip();
    } else {
      pause();
    }
  }
}

// A bulk operation reads the marks of all members.
Error map_all_blocks(WindowState& state) {
  if (__builtin_expect(state.blocks_mapped, 1)) return {};
  for (Target& target : state.targets) {
    if (state.block_of(target) == nullptr) return no_block(state, target);
  }
  state.blocks_mapped = true;
  return {};
}

[[gnu::cold]] Error ended_inside(const WindowState& state, const Target& target,
                                 std::uint32_t dead) {
  return make_error(MPI_ERR_OTHER,
                    "rank %u of %s has ended inside an accumulate to rank %d, whose memory may be "
                    "updated in part",
                    dead, state.label().c_str(), state.rank_of(target));
}

}  // namespace

Error claim(WindowState& state, Target& target, UpdateKind kind, bool& claimed) {
  shm::AccumulateGuard& guard = target.block->guard;
  const auto me = static_cast<std::uint32_t>(state.rank);
  if (Error error = map_all_blocks(state)) return error;
  Pause pause;
  for (;;) {
    Claim found = guard.try_claim(kind, me, state.members());
    std::optional<std::uint32_t> dead;
    if (found.outcome == Claim::held && is_dead(state.targets[found.holder].world_rank)) {
      dead = found.holder;
      found = guard.take_over(*dead, me, state.members());
    }
    if (found.outcome == Claim::revoke) revoke(state);
    claimed = found.outcome == Claim::claimed || found.outcome == Claim::revoke;
    if (claimed && dead) {
      guard.release(kind, me);
      return ended_inside(state, target, *dead);
    }
    if (claimed || found.outcome == Claim::small) return {};
    pause();
  }
}

}  // namespace atl::rma
