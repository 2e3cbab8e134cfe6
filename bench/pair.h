// Two processes on two cores, for measuring what the machine can do by itself.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <vector>

#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::bench {

// A counter alone in its cache line: one side writes it, the other polls it.
struct alignas(shm::kCacheLine) Line {
  Shared<std::uint64_t> value;

  // Pairs with wait_for() in the other process: what was written before is seen there.
  void post(std::uint64_t number) { value.store_release(number); }
  // Pairs with post().
  void wait_for(std::uint64_t number) const {
    while (value.load_acquire() != number) {
    }
  }
};

// Memory that both sides map; zeroed. Given back with the process.
void* shared_memory(std::size_t bytes);

template <class T>
T& make_shared_object() {
  return *new (shared_memory(sizeof(T))) T();
}

// The two processing units that the sides take from now on, by the system's numbers.
void use_cpus(int first, int second);

// Binds the calling thread to the first or second core (0 or 1) of those the
// process may use, or to what use_cpus() named. Ends the program with a sentence when
// there is no second.
void bind_to_core(int number);

// Side 0 is this process, side 1 a child of it.
struct Side {
  int number;
  pid_t partner;
};

// Runs `body` on both sides, each bound to a core of its own, and returns when
// both are done. Ends the program with a sentence when there is no second core
// or the other side failed.
void run_pair(const std::function<void(Side)>& body);

// Microseconds.
inline double now_us() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

// How long one measurement goes on: at least `kMinBatches` batches, then until
// the time is over.
inline constexpr double kMeasureUs = 60e3;
inline constexpr int kMinBatches = 5;

// One-way times in microseconds, a batch each, of `method` moving a message
// forth and back. A method has send(side, sequence) and receive(side, sequence);
// sequence numbers rise by one with every message of either direction.
template <class Method>
std::vector<double> one_way_batches(Method& method, int round_trips, double measure_us) {
  struct Shared {
    Line stop;  // 1: go on with another batch, 2: over; plus the batch number times 4
  };
  Shared& shared = make_shared_object<Shared>();
  std::vector<double> batches;
  run_pair([&](Side side) {
    std::uint64_t sequence = 0;
    const double end = now_us() + measure_us;
    for (std::uint64_t batch = 1;; ++batch) {
      const double start = now_us();
      for (int i = 0; i < round_trips; ++i) {
        if (side.number == 0) {
          method.send(side, ++sequence);
          method.receive(side, ++sequence);
        } else {
          method.receive(side, ++sequence);
          method.send(side, ++sequence);
        }
      }
      const double now = now_us();
      if (side.number == 0) {
        if (batch > 1) batches.push_back((now - start) / (2.0 * round_trips));
        const bool over = batch > kMinBatches && now > end;
        shared.stop.post(batch * 4 + (over ? 2 : 1));
        if (over) return;
      } else {
        while (shared.stop.value.load_acquire() / 4 != batch) {  // pairs with post() above
        }
        if (shared.stop.value.load_relaxed() % 4 == 2) return;  // the same value again
      }
    }
  });
  return batches;
}

// The best batch.
template <class Method>
double one_way_us(Method& method, int round_trips) {
  return std::ranges::min(one_way_batches(method, round_trips, kMeasureUs));
}

}  // namespace atl::bench
