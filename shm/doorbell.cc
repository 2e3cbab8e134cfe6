#include "shm/doorbell.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

#include "base/check.h"

namespace atl::shm {
namespace {

long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

}  // namespace

bool membarrier_works() {
  const long commands = membarrier(MEMBARRIER_CMD_QUERY);
  return commands > 0 && (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0 &&
         (commands & MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0;
}

bool register_for_membarrier() { return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0; }

bool sleeper_fence(FenceMode mode) {
  // Pairs with waker_fence(). Also orders the sleeper's own announcement before its last poll;
  // membarrier implies that, the other modes need it.
  full_fence();
  if (mode == FenceMode::symmetric) return true;
  return mode == FenceMode::asymmetric && membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0;
}

void Doorbell::sleep(std::uint32_t announcement, std::int64_t timeout_ns) {
  ATL_DCHECK(announcement % 2 != 0);  // from announce()
  timespec limit{timeout_ns / 1000000000, static_cast<long>(timeout_ns % 1000000000)};
  // Not FUTEX_PRIVATE_FLAG: the wakers are other processes. After any error (EINTR, EAGAIN,
  // ETIMEDOUT) the caller polls again, as after a wake.
  ::syscall(SYS_futex, word_.address(), FUTEX_WAIT, announcement, timeout_ns < 0 ? nullptr : &limit,
            nullptr, 0);
}

void Doorbell::wake() {
  // Relaxed: the compare-exchange below validates the value.
  std::uint32_t word = word_.load_relaxed();
  // Pairs with announce() and cancel_announcement(). If the word has changed since ring() checked
  // it, another process woke the owner, or the owner withdrew its announcement and polls again
  // before it sleeps. The ring's own release and acquire order what the sleeper reads after waking.
  if ((word & 1) != 0 && word_.compare_exchange_acq_rel(word, word + 1)) {
    ::syscall(SYS_futex, word_.address(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
}

}  // namespace atl::shm
