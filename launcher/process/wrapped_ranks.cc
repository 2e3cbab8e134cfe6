#include "launcher/process/wrapped_ranks.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher/base/processes.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

Descriptor open_pidfd(pid_t pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

// The result of PIDFD_GET_INFO, as in <linux/pidfd.h> of Linux 6.15.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup;
  std::uint32_t ids[11];  // pids and user ids
  std::int32_t exit_status;
};
static_assert(sizeof(PidfdInfo) == 64);

std::optional<int> status_of(const Descriptor& pidfd) {
  constexpr std::uint64_t kExitStatus = 1u << 3;  // PIDFD_INFO_EXIT
  PidfdInfo info{};
  info.mask = kExitStatus;
  if (!pidfd.open() || ::ioctl(pidfd.number(), _IOWR(0xFF, 11, PidfdInfo), &info) != 0 ||
      (info.mask & kExitStatus) == 0) {
    return std::nullopt;
  }
  return info.exit_status;
}

bool has_ended(pid_t pid, const Descriptor& pidfd) {
  if (pidfd.open()) {
    pollfd readable{pidfd.number(), POLLIN, 0};
    return ::poll(&readable, 1, 0) == 1;
  }
  // No pidfd: Linux before 5.3, or the process ended before it was opened.
  const char state = state_of(pid);
  return state == '\0' || state == 'Z';
}

}  // namespace

std::optional<LostRank> WrappedRanks::check(std::uint32_t rank, const shm::RankSlot& slot,
                                            pid_t started) {
  // Pairs with the stores of `life` in attach(), set_life() and abort_job().
  const auto life = static_cast<shm::Life>(slot.life.load_acquire());
  if (life != shm::Life::initialized && life != shm::Life::aborted) return std::nullopt;
  Watched& watched = watched_[rank];
  if (watched.pid == 0) {
    watched.pid = rank_process(slot);
    if (watched.pid != 0 && watched.pid != started) watched.pidfd = open_pidfd(watched.pid);
  }
  if (watched.pid == 0 || watched.pid == started || watched.told) return std::nullopt;
  const bool before = watched.ended;
  watched.ended = has_ended(watched.pid, watched.pidfd);
  if (!before || !watched.ended) return std::nullopt;
  watched.told = true;
  return LostRank{watched.pid, status_of(watched.pidfd)};
}

}  // namespace atl::launcher
