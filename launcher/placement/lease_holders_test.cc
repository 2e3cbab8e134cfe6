#include "launcher/placement/lease_holders.h"

#include <doctest/doctest.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "launcher/base/processes.h"

namespace atl::launcher {
namespace {

constexpr const char* kLocks =
    "1: POSIX  ADVISORY  WRITE 71 00:15:100 0 EOF\n"
    "2: FLOCK  ADVISORY  WRITE 72 00:15:100 0 EOF\n"
    "2: -> FLOCK  ADVISORY  WRITE 73 00:15:100 0 EOF\n"
    "3: FLOCK  ADVISORY  WRITE 74 00:15:101 0 EOF\n"
    "4: FLOCK  ADVISORY  WRITE 75 fd:1a:100 0 EOF\n"
    "5: FLOCK  ADVISORY  READ 76 00:15:100 0 EOF\n";

TEST_CASE("only holders of flock locks on this file, not waiters or holders of other locks") {
  CHECK(lock_holders(kLocks, ::makedev(0, 0x15), 100) == std::vector<pid_t>{72, 76});
  CHECK(lock_holders(kLocks, ::makedev(0xfd, 0x1a), 100) == std::vector<pid_t>{75});
  CHECK(lock_holders(kLocks, ::makedev(0, 0x15), 7).empty());
  CHECK(lock_holders("", 0, 0).empty());
}

TEST_CASE("how long this process has run") {
  CHECK(seconds_since_start(::getpid()) > -0.1);  // in ticks
  CHECK(seconds_since_start(::getpid()) < 3600);
  CHECK(seconds_since_start(-1) > 1e18);
}

}  // namespace
}  // namespace atl::launcher
