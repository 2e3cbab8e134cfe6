#include "shm/accumulate_guard.h"

namespace atl::shm {

AccumulateGuard::Claim AccumulateGuard::held_by(std::uint32_t word, std::uint32_t members) {
  const std::uint32_t holder = (word & kHolderMask) - 1;
  ATL_CHECK(holder < members, "the accumulate guard of a window is held by member %u of %u", holder,
            members);
  return {Claim::held, holder};
}

AccumulateGuard::Claim AccumulateGuard::try_claim(Kind kind, std::uint32_t member,
                                                  std::uint32_t members) {
  // Relaxed: the compare-exchange validates the value.
  std::uint32_t word = word_.load_relaxed();
  while ((word & kHolderMask) == 0) {
    if (word == 0 && kind == Kind::small) return {Claim::small};
    // Pairs with release(): what earlier holders wrote is visible.
    if (word_.compare_exchange_acq_rel(word, word | kLocked | (member + 1))) {
      return {(word & kLocked) != 0 ? Claim::claimed : Claim::revoke};
    }
  }
  return held_by(word, members);
}

void AccumulateGuard::release(Kind kind, std::uint32_t member) {
  // Relaxed: only the holder writes a word that is held.
  std::uint32_t word = word_.load_relaxed();
  ATL_CHECK((word & kHolderMask) == member + 1,
            "the accumulate guard of a window, which this rank holds, does not say so: word %x",
            word);
  word &= ~kHolderMask;
  if (kind == Kind::bulk || (word & kNeverSmall) != 0) {
    word &= ~kRunMask;
  } else {
    word += kRun;
    if ((word & kRunMask) >= kSmallRun * kRun) word = 0;
  }
  // Pairs with try_claim() and enter_small(): the operation on the data comes before.
  word_.store_release(word);
}

AccumulateGuard::Claim AccumulateGuard::take_over(std::uint32_t dead, std::uint32_t member,
                                                  std::uint32_t members) {
  // Relaxed: the compare-exchange validates the value.
  std::uint32_t word = word_.load_relaxed();
  if ((word & kHolderMask) == dead + 1) {
    const std::uint32_t mine = (word & ~kHolderMask) | (member + 1);
    // Pairs with release(): what earlier holders wrote is visible. Only another member that takes
    // over can have changed the word.
    if (word_.compare_exchange_acq_rel(word, mine)) {
      return {(word & kNeverSmall) != 0 ? Claim::claimed : Claim::revoke};
    }
  }
  if ((word & kHolderMask) != 0) return held_by(word, members);
  return try_claim(Kind::bulk, member, members);
}

Revocation::Revocation(FenceMode fence) {
  // Pairs with waker_fence() in enter_small(): either the member sees the new mode, or its mark is
  // visible here. Without the fence the data could be damaged silently.
  ATL_CHECK(sleeper_fence(fence),
            "the system refuses membarrier, which it had allowed when the job started");
}

}  // namespace atl::shm
