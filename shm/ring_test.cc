#include "shm/ring.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "base/testing/failed_check.h"
#include "shm/testing/child_process.h"
#include "shm/testing/pattern.h"

namespace atl::shm {
namespace {

using atl::testing::FailedCheck;
using testing::fill;
using testing::is_filled;
using testing::Random;
using testing::Watchdog;

constexpr std::uint64_t kPayload = Ring::kLeastPayload;
constexpr std::uint32_t kMaxFragment = Ring::kMaxFragment;

std::unique_ptr<Ring> make_ring() {
  // Value-initialised to zero, like new pages of the segment.
  auto ring = std::make_unique<Ring>();
  ring->construct(0, 1, kPayload);
  return ring;
}

void put(RingProducer& producer, std::uint64_t value) {
  Slot* slot = producer.claim();
  REQUIRE(slot != nullptr);
  std::memcpy(slot->bytes, &value, sizeof value);
  producer.publish(slot);
}

std::uint64_t value_in(const Slot* slot) {
  std::uint64_t value;
  std::memcpy(&value, slot->bytes, sizeof value);
  return value;
}

TEST_CASE("a producer sees within a lap that the consumer accepts no eager messages") {
  auto ring = std::make_unique<Ring>();
  ring->construct(0, 1, Ring::kMostPayload);
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  CHECK_FALSE(RingProducer().open());
  CHECK(producer.open());
  consumer.set_rendezvous_only(true);
  std::uint32_t sent = 0;
  for (; producer.open() && sent <= 2 * Ring::kSlots; ++sent) {
    Slot* slot = producer.claim();
    REQUIRE(slot != nullptr);
    producer.publish(slot);
    REQUIRE(consumer.peek() != nullptr);
    static_cast<void>(consumer.release());
  }
  CHECK(sent <= Ring::kSlots + 1);
  producer.refresh_open();
  CHECK_FALSE(producer.open());
  consumer.set_rendezvous_only(false);
  producer.refresh_open();
  CHECK(producer.open());
}

TEST_CASE("turn of a position") {
  struct Row {
    std::uint64_t position;
    std::uint16_t turn;
  };
  constexpr std::uint64_t lap = Ring::kSlots;
  const Row rows[] = {
      {0, 1},
      {lap - 1, 1},
      {lap, 2},
      {2 * lap, 3},
      {65534 * lap, 65535},
      {65535 * lap - 1, 65535},
      {65535 * lap, 0},  // wraps
      {65536 * lap - 1, 0},
      {65536 * lap, 1},
      {(1ull << 32) * lap + lap, 2},
      {(1ull << 62), 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.position);
    CHECK(turn_at(row.position) == row.turn);
    // The turn that the previous lap left in the slot is never that of this lap.
    if (row.position >= lap) CHECK(turn_at(row.position - lap) != turn_at(row.position));
  }
}

TEST_CASE("where a fragment of payload goes") {
  struct Row {
    std::uint64_t used;
    std::uint32_t length;
    std::uint64_t start;
    std::uint64_t end;
  };
  constexpr std::uint64_t far = 1ull << 62;  // a multiple of the ring's size
  const Row rows[] = {
      {0, 0, 0, 0},
      {0, 1, 0, 64},
      {0, 64, 0, 64},
      {64, 65, 64, 192},
      {0, kMaxFragment, 0, kMaxFragment},
      // Up to the end exactly, and one byte too long for that.
      {kPayload - 128, 128, kPayload - 128, kPayload},
      {kPayload - 128, 129, kPayload, kPayload + 192},
      {kPayload - 64, 0, kPayload - 64, kPayload - 64},
      {kPayload - 64, kMaxFragment, kPayload, kPayload + kMaxFragment},
      {kPayload, 100, kPayload, kPayload + 128},
      // After very many laps.
      {far - 64, 64, far - 64, far},
      {far - 64, 65, far, far + 128},
      {far + 64, 10, far + 64, far + 128},
      {(1ull << 32) - 64, 100, 1ull << 32, (1ull << 32) + 128},
  };
  for (const Row& row : rows) {
    CAPTURE(row.used);
    CAPTURE(row.length);
    CHECK(fragment_start(row.used, row.length, kPayload) == row.start);
    CHECK(fragment_end(row.used, row.length, kPayload) == row.end);
  }
}

TEST_CASE("a caught-up ring has space for the longest fragment: every state") {
  // The consumer has consumed everything up to `used` and not yet returned the last `held` bytes;
  // release() returns them when they reach a quarter.
  std::uint64_t worst = 0;
  for (std::uint64_t index = 0; index < kPayload; index += kCacheLine) {
    for (std::uint64_t held = 0; held < kPayload / 4; held += kCacheLine) {
      const std::uint64_t used = kPayload + index;
      for (const std::uint32_t length :
           {1u, 64u, kMaxFragment / 2, kMaxFragment - 63, kMaxFragment}) {
        worst = std::max(worst, fragment_end(used, length, kPayload) - (used - held));
      }
    }
  }
  CHECK(worst <= kPayload);
  CHECK(worst > kPayload / 2);  // a case with both losses is included
}

TEST_CASE("a new ring is empty") {
  auto ring = make_ring();
  RingConsumer consumer(ring.get());
  CHECK(consumer.peek() == nullptr);
  CHECK(ring->sender() == 0);
  CHECK(ring->receiver() == 1);
}

TEST_CASE("packets arrive in order, and each stays until it is released") {
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  put(producer, 7);
  put(producer, 8);
  REQUIRE(consumer.peek() != nullptr);
  CHECK(value_in(consumer.peek()) == 7);
  CHECK(value_in(consumer.peek()) == 7);
  CHECK_FALSE(consumer.release());
  CHECK(value_in(consumer.peek()) == 8);
  CHECK_FALSE(consumer.release());
  CHECK(consumer.peek() == nullptr);
}

TEST_CASE("a full ring has free space again after a quarter is consumed") {
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  for (std::uint32_t i = 0; i < Ring::kSlots; ++i) put(producer, i);
  CHECK(producer.claim() == nullptr);
  for (std::uint32_t i = 0; i < Ring::kSlots / 4; ++i) {
    CHECK(producer.claim() == nullptr);
    CHECK(consumer.release() == (i + 1 == Ring::kSlots / 4));
  }
  for (std::uint32_t i = 0; i < Ring::kSlots / 4; ++i) put(producer, Ring::kSlots + i);
  CHECK(producer.claim() == nullptr);
  for (std::uint32_t i = Ring::kSlots / 4; i < Ring::kSlots * 5 / 4; ++i) {
    REQUIRE(consumer.peek() != nullptr);
    CHECK(value_in(consumer.peek()) == i);
    (void)consumer.release();
  }
  CHECK(consumer.peek() == nullptr);
}

TEST_CASE("full payload has free space again after a quarter is consumed") {
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  std::uint32_t index = 0;
  for (std::uint64_t i = 0; i < kPayload / kMaxFragment; ++i) {
    Slot* slot = producer.claim(kMaxFragment, index);
    REQUIRE(slot != nullptr);
    CHECK(index == i * kMaxFragment);
    producer.publish(slot);
  }
  CHECK(producer.claim(1, index) == nullptr);
  CHECK(producer.claim() != nullptr);   // slots are left
  CHECK(producer.line_latency() == 0);  // no line of the receiver has been read
  CHECK(consumer.release(kMaxFragment));
  Slot* slot = producer.claim(kMaxFragment, index);
  REQUIRE(slot != nullptr);
  CHECK(index == 0);
  CHECK(producer.line_latency() > 0);
}

TEST_CASE("turns wrap") {
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  const std::uint64_t records = (65536ull + 2) * Ring::kSlots;
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < records; ++i) {
    Slot* slot = producer.claim();
    if (slot == nullptr || consumer.peek() != nullptr) {
      ++wrong;
      break;
    }
    std::memcpy(slot->bytes, &i, sizeof i);
    producer.publish(slot);
    if (consumer.peek() == nullptr || value_in(consumer.peek()) != i) ++wrong;
    (void)consumer.release();
  }
  CHECK(wrong == 0);
}

// A producer that dies before publish() leaves a slot with written bytes but the old turn.
TEST_CASE("a packet that a dead producer did not publish is never seen") {
  auto ring = make_ring();
  RingConsumer consumer(ring.get());
  constexpr std::uint32_t kBacklog = 90;
  // On the first lap the slot's turn is zero, later that of the previous lap.
  for (const std::uint32_t published : {0u, 1u, Ring::kSlots - 1, Ring::kSlots, 300u}) {
    CAPTURE(published);
    ring = make_ring();
    consumer = RingConsumer(ring.get());
    RingProducer producer(ring.get());
    for (std::uint32_t i = 0; i < published; ++i) {
      put(producer, i);
      if (i < kBacklog) continue;
      REQUIRE(value_in(consumer.peek()) == i - kBacklog);
      (void)consumer.release();
    }
    std::uint32_t index = 0;
    Slot* slot = producer.claim(1000, index);
    REQUIRE(slot != nullptr);
    std::memset(slot->bytes, 0xff, Slot::kBytes);
    std::memset(producer.payload(index), 0xff, 1000);
    std::uint32_t seen = 0;
    while (consumer.peek() != nullptr) {
      CHECK(value_in(consumer.peek()) < published);
      (void)consumer.release();
      ++seen;
    }
    CHECK(seen == std::min(published, kBacklog));
    CHECK(consumer.peek() == nullptr);
  }
}

// Lengths that reach the end of the payload in all ways.
std::uint32_t random_length(Random& random) {
  switch (random.below(5)) {
    case 0: return 0;
    case 1: return 1 + random.below(200);
    case 2: return kMaxFragment - random.below(130);
    case 3: return kMaxFragment / 2 + random.below(130);
    default: return random.below(kMaxFragment + 1);
  }
}

// In a slot: sequence, length, index, and the same sequence at its end.
struct Header {
  std::uint64_t sequence;
  std::uint32_t length;
  std::uint32_t index;
};

void write_header(Slot* slot, const Header& header) {
  std::memcpy(slot->bytes, &header, sizeof header);
  std::memcpy(slot->bytes + Slot::kBytes - 8, &header.sequence, 8);
}

bool read_header(const Slot* slot, std::uint64_t sequence, Header& header) {
  std::uint64_t last;
  std::memcpy(&header, slot->bytes, sizeof header);
  std::memcpy(&last, slot->bytes + Slot::kBytes - 8, 8);
  return header.sequence == sequence && last == sequence;
}

TEST_CASE("random traffic: payload stays until released, a drained ring takes any fragment") {
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  Random random(1);
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  const auto send = [&](std::uint32_t length) {
    std::uint32_t index = 0;
    Slot* slot = producer.claim(length, index);
    if (slot == nullptr) return false;
    REQUIRE(index + length <= kPayload);
    REQUIRE(index % kCacheLine == 0);
    fill(producer.payload(index), length, sent);
    write_header(slot, {sent++, length, index});
    producer.publish(slot);
    return true;
  };
  const auto receive = [&] {
    const Slot* slot = consumer.peek();
    if (slot == nullptr) return false;
    Header header;
    REQUIRE(read_header(slot, received++, header));
    REQUIRE(
        is_filled(consumer.payload(header.index, header.length), header.length, header.sequence));
    (void)consumer.release(header.length);
    return true;
  };
  for (int round = 0; round < 3000; ++round) {
    for (std::uint32_t i = random.below(40); i > 0 && send(random_length(random)); --i) {
    }
    if (random.below(3) == 0) {
      while (receive()) {
      }
      REQUIRE(send(kMaxFragment));
    } else {
      for (std::uint32_t i = random.below(40); i > 0 && receive(); --i) {
      }
    }
  }
  while (receive()) {
  }
  CHECK(sent == received);
  CHECK(sent > 10000);
}

// Values that a stray pointer of some rank may write into a ring fail a check before they are used.
TEST_CASE("a damaged ring is noticed") {
  const atl::testing::ThrowsFailedChecks throws;
  auto ring = make_ring();
  RingProducer producer(ring.get());
  RingConsumer consumer(ring.get());
  auto* bytes = reinterpret_cast<std::byte*>(ring.get());

  SUBCASE("payload outside of the ring") {
    struct Row {
      std::uint32_t index, length;
      bool valid;
    };
    const Row rows[] = {{0, 0, true},
                        {0, kPayload, true},
                        {kPayload - 1, 1, true},
                        {kPayload, 0, true},
                        {0, kPayload + 1, false},
                        {kPayload - 1, 2, false},
                        {kPayload + 1, 0, false},
                        {~0u, 2, false},
                        {2, ~0u, false}};
    for (const auto& [index, length, valid] : rows) {
      CAPTURE(index);
      CAPTURE(length);
      if (valid) {
        CHECK(consumer.payload(index, length) == consumer.payload(0, 0) + index);
      } else {
        CHECK_THROWS_AS(consumer.payload(index, length), FailedCheck);
      }
    }
  }
  SUBCASE("more read than written") {
    constexpr std::size_t kConsumed = kCacheLine;  // the consumer's line, see ring.h
    for (std::uint32_t i = 0; i < Ring::kSlots; ++i) put(producer, i);
    for (const std::uint64_t consumed : {Ring::kSlots + 1ul, 1ul << 40, ~0ul}) {
      std::memcpy(bytes + kConsumed, &consumed, sizeof consumed);
      CHECK_THROWS_AS(producer.claim(), FailedCheck);
    }
    const std::uint64_t all = Ring::kSlots;
    std::memcpy(bytes + kConsumed, &all, sizeof all);
    CHECK(producer.claim() != nullptr);
  }
  SUBCASE("a ring that is made where there is one") {
    CHECK_THROWS_AS(ring->construct(0, 1, kPayload), FailedCheck);
  }
  SUBCASE("a payload of an impossible size") {
    constexpr std::size_t kPayloadBytes = 8;  // after the two ranks
    for (const std::uint32_t size : {0u, 4096u, Ring::kLeastPayload + 64, 2 * Ring::kMostPayload}) {
      std::memcpy(bytes + kPayloadBytes, &size, sizeof size);
      CHECK_THROWS_AS(RingConsumer{ring.get()}, FailedCheck);
      CHECK_THROWS_AS(RingProducer{ring.get()}, FailedCheck);
    }
  }
}

TEST_CASE("two threads: every packet arrives whole and in order") {
  Watchdog watchdog("two threads");
  auto ring = make_ring();
  constexpr std::uint64_t kRecords = 40000;
  std::thread sender([&] {
    RingProducer producer(ring.get());
    Random random(2);
    for (std::uint64_t sequence = 0; sequence < kRecords; ++sequence) {
      const std::uint32_t length = random.below(16) == 0 ? random_length(random) : random.below(90);
      std::uint32_t index = 0;
      Slot* slot = nullptr;
      testing::poll_until([&] { return (slot = producer.claim(length, index)) != nullptr; });
      fill(producer.payload(index), length, sequence);
      write_header(slot, {sequence, length, index});
      producer.publish(slot);
    }
  });
  RingConsumer consumer(ring.get());
  std::uint64_t wrong = 0;
  for (std::uint64_t sequence = 0; sequence < kRecords; ++sequence) {
    const Slot* slot = nullptr;
    testing::poll_until([&] { return (slot = consumer.peek()) != nullptr; });
    Header header;
    if (!read_header(slot, sequence, header) ||
        !is_filled(consumer.payload(header.index, header.length), header.length, sequence)) {
      ++wrong;
    }
    (void)consumer.release(header.length);
  }
  sender.join();
  CHECK(wrong == 0);
  CHECK(consumer.peek() == nullptr);
}

}  // namespace
}  // namespace atl::shm
