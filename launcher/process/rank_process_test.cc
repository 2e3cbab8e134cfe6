#include "launcher/process/rank_process.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "shm/pid_namespace.h"

namespace atl::launcher {
namespace {

TEST_CASE("a pid names a process only in its namespace") {
  const std::uint64_t own = shm::pid_namespace("/proc/self");
  REQUIRE(own != 0);
  CHECK(is_process(::getpid(), ::getpid(), own));
  CHECK_FALSE(is_process(::getpid(), ::getpid() + 1, own));
  CHECK_FALSE(is_process(::getpid(), ::getpid(), own + 1));
  CHECK(shm::pid_namespace("/proc/no such process") == 0);
}

TEST_CASE("the process of a rank, as far as it is known") {
  static shm::RankSlot slot;
  CHECK(rank_process(slot) == 0);
  slot.pid.store_release(::getpid());  // alone: nothing is ordered
  CHECK(rank_process(slot) == 0);      // in which namespace?
  slot.pid_namespace.store_release(shm::pid_namespace("/proc/self"));
  CHECK(rank_process(slot) == ::getpid());
  slot.pid_namespace.store_release(1);  // of nobody
  CHECK(rank_process(slot) == 0);
}

}  // namespace
}  // namespace atl::launcher
