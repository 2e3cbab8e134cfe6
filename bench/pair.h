// Two processes on two cores, to measure the machine without MPI.
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

  // Pairs with wait_for() in the other process, which then sees everything written before.
  void post(std::uint64_t number) { value.store_release(number); }
  // Pairs with post().
  void wait_for(std::uint64_t number) const {
    while (value.load_acquire() != number) {
    }
  }
};

// Zeroed memory that both sides map, until the process ends.
void* shared_memory(std::size_t bytes);

template <class T>
T& make_shared_object() {
  return *new (shared_memory(sizeof(T))) T();
}

// Selects the two processing units of the sides, by the system's numbers.
void use_cpus(int first, int second);

// Binds the calling thread to the first or second core (0 or 1) of those that the
// process may use, or of use_cpus(). Ends the program with an error message when
// there is no second core.
void bind_to_core(int number);

// Side 0 is this process, side 1 a child of it.
struct Side {
  int number;
  pid_t partner;
};

// Runs `body` on both sides, each bound to a core of its own, and returns when
// both are done. Ends the program with an error message when there is no second core
// or the other side failed.
void run_pair(const std::function<void(Side)>& body);

// Microseconds.
inline double now_us() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

// The length of one measurement: at least `kMinBatches` batches, then until
// the time is over.
inline constexpr double kMeasureUs = 60e3;
inline constexpr int kMinBatches = 5;

// One-way times in microseconds, one per batch, of `method` sending a message
// back and forth. A method has send(side, sequence) and receive(side, sequence);
// sequence numbers rise by one with every message of either direction.
template <class Method>
std::vector<double> one_way_batches(Method& method, int round_trips, double measure_us) {
  struct Shared {
    Line stop;  // 1: another batch follows, 2: over; plus the batch number times 4
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
        if (shared.stop.value.load_relaxed() % 4 == 2) return;  // Relaxed: the value acquired above
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
