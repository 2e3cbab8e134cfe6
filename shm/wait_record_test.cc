#include "shm/wait_record.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <thread>

#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

// A record whose fields all derive from one number.
WaitInfo uniform(std::uint32_t number) {
  WaitInfo info;
  std::fill(std::begin(info.call), std::end(info.call), static_cast<char>(number % 64 + 1));
  std::fill(std::begin(info.communicator), std::end(info.communicator),
            static_cast<char>(number % 64 + 1));
  info.peer = info.peer_world = info.tag = static_cast<std::int32_t>(number);
  info.requests = number;
  info.bytes = number;
  info.since_ns = number;
  return info;
}

bool is_uniform(const WaitInfo& info) {
  const WaitInfo expected = uniform(info.requests);
  return std::memcmp(&info, &expected, sizeof info) == 0;
}

TEST_CASE("a fresh record says that the rank does not wait") {
  WaitRecord record{};
  WaitInfo info;
  CHECK(record.read(info));
  CHECK(info.call[0] == '\0');
}

TEST_CASE("a published record is read, and cleared again") {
  WaitRecord record{};
  WaitInfo info;
  std::strcpy(info.call, "MPI_Recv");
  std::strcpy(info.communicator, "MPI_COMM_WORLD");
  info.peer = info.peer_world = 3;
  info.tag = 17;
  info.bytes = 800;
  record.publish(info);
  WaitInfo read;
  CHECK(record.read(read));
  CHECK(std::memcmp(&read, &info, sizeof info) == 0);
  record.clear();
  CHECK(record.read(read));
  CHECK(read.call[0] == '\0');
}

// The owner died between its first store and its last.
TEST_CASE("a half-written record is not read, until the owner writes again") {
  WaitRecord record{};
  record.publish(uniform(5));
  std::uint32_t sequence;
  static_assert(sizeof sequence == sizeof(Shared<std::uint32_t>));
  std::memcpy(&sequence, static_cast<void*>(&record), sizeof sequence);  // its first member
  CHECK(sequence % 2 == 0);
  ++sequence;
  std::memcpy(static_cast<void*>(&record), &sequence, sizeof sequence);
  WaitInfo info;
  CHECK_FALSE(record.read(info));
  record.publish(uniform(6));
  CHECK(record.read(info));
  CHECK(info.requests == 6);
}

TEST_CASE("a reader never sees a mixture") {
  Watchdog watchdog("a reader never sees a mixture");
  WaitRecord record{};
  record.publish(uniform(1));
  Shared<std::uint32_t> stop{};
  std::thread owner([&] {
    Random random(1);
    for (std::uint32_t number = 2; stop.load_relaxed() == 0; ++number) {
      record.publish(uniform(number));
      testing::dawdle(random, 400);
    }
  });
  std::uint32_t last = 0;
  int news = 0;
  int torn = 0;
  int backwards = 0;
  for (int reads = 0; reads < 200000 || news < 10; ++reads) {
    WaitInfo info;
    if (!record.read(info)) {
      ::sched_yield();  // the owner was descheduled while it wrote
      continue;
    }
    if (!is_uniform(info)) ++torn;
    if (info.requests < last) ++backwards;
    news += info.requests != last;
    last = info.requests;
  }
  stop.store_relaxed(1);
  owner.join();
  CHECK(torn == 0);
  CHECK(backwards == 0);
}

TEST_CASE("an owner killed at any moment leaves a whole record or none") {
  Watchdog watchdog("an owner killed");
  SharedObject<WaitRecord> record;
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    record->publish(uniform(1));
    const pid_t owner = testing::start([&] {
      for (std::uint32_t number = 1;; ++number) record->publish(uniform(number));
      return 0;
    });
    testing::dawdle(random, 1000000);
    testing::kill_hard(owner);
    CHECK(testing::finish(owner) == -SIGKILL);
    WaitInfo info;
    if (record->read(info)) CHECK(is_uniform(info));
  }
}

}  // namespace
}  // namespace atl::shm
