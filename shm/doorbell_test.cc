#include "shm/doorbell.h"

#include <doctest/doctest.h>

#include <thread>

#include "base/clock.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::SharedObject;
using testing::Watchdog;

constexpr std::int64_t kMillisecond = 1000000;  // ns

TEST_CASE("an announcement stands until it is withdrawn or rung") {
  Doorbell bell{};
  CHECK_FALSE(bell.announced());
  bell.announce();
  CHECK(bell.announced());
  bell.cancel_announcement();
  CHECK_FALSE(bell.announced());
  bell.announce();
  bell.ring();
  CHECK_FALSE(bell.announced());
  bell.ring();  // no thread sleeps: no effect
  CHECK_FALSE(bell.announced());
}

TEST_CASE("a thread that did not announce, or was rung since, does not sleep") {
  Watchdog watchdog("does not sleep");
  Doorbell bell{};
  bell.sleep(1, -1);
  const std::uint32_t announcement = bell.announce();
  bell.ring();
  bell.sleep(announcement, -1);
  CHECK_FALSE(bell.announced());
}

TEST_CASE("a thread that was rung does not sleep because another announced since") {
  Watchdog watchdog("another announced");
  Doorbell bell{};
  const std::uint32_t first = bell.announce();
  bell.ring();
  const std::uint32_t second = bell.announce();
  CHECK(second != first);
  bell.sleep(first, -1);
  CHECK(bell.announced());
}

TEST_CASE("a sleep ends by itself after its limit") {
  Watchdog watchdog("sleep with a limit");
  Doorbell bell{};
  for (const std::int64_t limit : {0 * kMillisecond, 1 * kMillisecond, 20 * kMillisecond}) {
    const std::uint32_t announcement = bell.announce();
    const std::int64_t start = monotonic_ns();
    while (monotonic_ns() - start < limit) bell.sleep(announcement, limit);  // may return early
    CHECK(bell.announced());
  }
}

TEST_CASE("ringing wakes a thread and a process") {
  Watchdog watchdog("ringing");
  SharedObject<Doorbell> bell;
  const auto sleeper = [&] {
    const std::uint32_t announcement = bell->announce();
    while (bell->announced()) bell->sleep(announcement, -1);
  };
  const auto wake = [&] {
    while (!bell->announced()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // now probably asleep
    bell->ring();
  };
  {
    std::thread thread(sleeper);
    wake();
    thread.join();
  }
  const pid_t process = testing::start([&] {
    sleeper();
    return 0;
  });
  wake();
  CHECK(testing::finish(process) == 0);
}

TEST_CASE("one ring wakes all that sleep on the bell") {
  Watchdog watchdog("all sleepers");
  Doorbell bell{};
  const std::uint32_t announcement = bell.announce();
  const auto sleeper = [&] {
    while (bell.announced()) bell.sleep(announcement, -1);
  };
  std::thread first(sleeper);
  std::thread second(sleeper);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  bell.ring();
  first.join();
  second.join();
}

TEST_CASE("where membarrier works a process can register") {
  if (membarrier_works()) CHECK(register_for_membarrier());
}

}  // namespace
}  // namespace atl::shm
