// The costs of the parts of shm/ by themselves. bazel run //bench:shm_benchmark
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/shared.h"
#include "bench/pair.h"
#include "shm/doorbell.h"
#include "shm/ring.h"

namespace atl::shm {
namespace {

std::unique_ptr<Ring> make_ring() {
  auto ring = std::make_unique<Ring>();
  ring->construct(0, 1, Ring::kMostPayload);
  return ring;
}

// A ring in zeroed memory, with its producer and consumer.
struct Way {
  std::unique_ptr<Ring> ring = make_ring();
  RingProducer producer{ring.get()};
  RingConsumer consumer{ring.get()};
};

// Sends a packet whose first eight bytes are `number`. False when the ring is full.
bool send(RingProducer& producer, std::uint64_t number) {
  Slot* slot = producer.claim();
  if (slot == nullptr) return false;
  std::memcpy(slot->bytes, &number, sizeof number);
  producer.publish(slot);
  return true;
}

// Waits for the next packet and returns its number.
std::uint64_t receive(RingConsumer& consumer) {
  const Slot* slot;
  while ((slot = consumer.peek()) == nullptr) {
  }
  std::uint64_t number;
  std::memcpy(&number, slot->bytes, sizeof number);
  benchmark::DoNotOptimize(consumer.release());
  return number;
}

// One packet through a ring whose lines never leave this core: the cost of the instructions.
void publish_peek_release(benchmark::State& state) {
  Way way;
  std::uint64_t number = 0;
  for (auto _ : state) {
    send(way.producer, ++number);
    benchmark::DoNotOptimize(receive(way.consumer));
  }
}
BENCHMARK(publish_peek_release);

// The same with a fragment in the payload, copied in and out. Argument: bytes.
void publish_peek_release_payload(benchmark::State& state) {
  const auto length = static_cast<std::uint32_t>(state.range(0));
  Way way;
  std::vector<std::byte> data(length);
  for (auto _ : state) {
    std::uint32_t index = 0;
    Slot* slot = way.producer.claim(length, index);
    std::memcpy(way.producer.payload(index), data.data(), length);
    way.producer.publish(slot);
    benchmark::DoNotOptimize(way.consumer.peek());
    std::memcpy(data.data(), way.consumer.payload(index, length), length);
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(way.consumer.release(length));
  }
  state.SetBytesProcessed(state.iterations() * length);
}
BENCHMARK(publish_peek_release_payload)->RangeMultiplier(4)->Range(64, Ring::kMaxFragment);

// A packet to another core and one back: twice the one-way time.
void ring_round_trip(benchmark::State& state) {
  constexpr std::uint64_t kStop = 0;
  Way there, back;
  bench::bind_to_core(0);
  std::thread partner([&] {
    bench::bind_to_core(1);
    std::uint64_t number;
    do {
      number = receive(there.consumer);
      send(back.producer, number);
    } while (number != kStop);
  });
  std::uint64_t number = kStop;
  for (auto _ : state) {
    send(there.producer, ++number);
    benchmark::DoNotOptimize(receive(back.consumer));
  }
  send(there.producer, kStop);
  partner.join();
}
BENCHMARK(ring_round_trip)->UseRealTime();

// Packets in one direction, as fast as the ring has free slots.
void ring_stream(benchmark::State& state) {
  constexpr std::uint64_t kStop = 0;
  Way way;
  bench::bind_to_core(0);
  std::thread partner([&] {
    bench::bind_to_core(1);
    while (receive(way.consumer) != kStop) {
    }
  });
  std::uint64_t number = kStop;
  for (auto _ : state) {
    ++number;
    while (!send(way.producer, number)) {
    }
  }
  while (!send(way.producer, kStop)) {
  }
  partner.join();
}
BENCHMARK(ring_stream)->UseRealTime();

// The cost for every sender of the possibility that the receiver sleeps.
void ring_the_doorbell_of_one_awake(benchmark::State& state) {
  const auto mode = static_cast<FenceMode>(state.range(0));
  Doorbell bell{};
  Shared<std::uint64_t> published{};
  std::uint64_t number = 0;
  for (auto _ : state) {
    published.store_release(++number);  // pairs with no load here: only the cost is measured
    waker_fence(mode);
    bell.ring();
  }
}
BENCHMARK(ring_the_doorbell_of_one_awake)
    ->ArgName("asymmetric")
    ->Arg(static_cast<int>(FenceMode::symmetric))
    ->Arg(static_cast<int>(FenceMode::asymmetric));

// The cost of the fence before a rank may sleep.
void fence_before_sleeping(benchmark::State& state) {
  const auto mode = static_cast<FenceMode>(state.range(0));
  if (mode == FenceMode::asymmetric && !(membarrier_works() && register_for_membarrier())) {
    state.SkipWithError("membarrier does not work here");
    return;
  }
  for (auto _ : state) sleeper_fence(mode);
}
BENCHMARK(fence_before_sleeping)
    ->ArgName("asymmetric")
    ->Arg(static_cast<int>(FenceMode::symmetric))
    ->Arg(static_cast<int>(FenceMode::asymmetric));

}  // namespace
}  // namespace atl::shm

BENCHMARK_MAIN();
