#include "shm/launcher_lock.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

TEST_CASE("the lock tells other processes whether its holder lives") {
  const int segment = ::memfd_create("test", MFD_CLOEXEC);
  REQUIRE(segment >= 0);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  CHECK_FALSE(launcher_lives(segment));
  const pid_t launcher = testing::start([&] {
    if (!hold_launcher_lock(segment)) return 1;
    if (::write(ready[1], "", 1) != 1) return 2;
    for (;;) ::pause();
  });
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(launcher_lives(segment));
  // Another process that closes the shared descriptor does not drop the lock.
  CHECK(testing::finish(testing::start([&] {
          ::close(segment);
          return 0;
        })) == 0);
  CHECK(launcher_lives(segment));
  testing::kill_hard(launcher);
  testing::finish(launcher);
  CHECK_FALSE(launcher_lives(segment));
}

}  // namespace
}  // namespace atl::shm
