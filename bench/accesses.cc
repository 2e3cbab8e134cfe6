#include "bench/accesses.h"

#include <sys/uio.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/copies.h"
#include "bench/pair.h"

namespace atl::bench {
namespace {

constexpr double kAccessesUs = 10e3;  // of one measurement
constexpr double kBatchUs = 200;      // at least, unless one access takes longer

// What the other side does: touches the memory, then waits until all has been measured.
struct Sides {
  Line touched;
  Line measured;
};

// The least time of an access; batches double until they are long enough.
template <class Access>
double least_us(Access access) {
  double least = 0;
  const double end = now_us() + kAccessesUs;
  for (std::uint64_t count = 1, batches = 0; batches < kMinBatches || now_us() < end;) {
    const double start = now_us();
    for (std::uint64_t i = 0; i < count; ++i) access();
    const double passed = now_us() - start;
    if (passed < kBatchUs && count < (1U << 30)) {
      count *= 2;
      continue;
    }
    const double each = passed / static_cast<double>(count);
    least = ++batches == 1 ? each : std::min(least, each);
  }
  return least;
}

// measure() on side 0, while the other side has touched what touch() touches.
template <class Touch, class Measure>
double beside(Touch touch, Measure measure) {
  Sides& sides = make_shared_object<Sides>();
  double us = 0;
  run_pair([&](Side side) {
    if (side.number == 1) {
      touch();
      sides.touched.post(1);
      sides.measured.wait_for(1);
    } else {
      sides.touched.wait_for(1);
      us = measure(side);
      sides.measured.post(1);
    }
  });
  return us;
}

// As far into its page as a buffer: see kMallocOffset.
std::byte* shared_bytes(std::size_t bytes) {
  return static_cast<std::byte*>(shared_memory(kMallocOffset + bytes)) + kMallocOffset;
}

// Keeps the compiler from leaving a copy out because it is repeated.
inline void use(void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

// `access` of a line that both map.
template <class Access>
double line_us(Access access) {
  Line& line = make_shared_object<Line>();
  return beside([&] { line.post(1); }, [&](Side) { return least_us([&] { access(line.value); }); });
}

double copy_us(std::size_t bytes, bool in) {
  std::byte* shared = shared_bytes(bytes);
  Buffer own(bytes);
  return beside([&] { std::memset(shared, 1, bytes); },
                [&](Side) {
                  own.own();
                  return least_us([&] {
                    std::memcpy(in ? shared : own.data(), in ? own.data() : shared, bytes);
                    use(shared);
                  });
                });
}

double system_copy_us(std::size_t bytes, bool in) {
  Buffer buffer(bytes);  // at the same address on both sides
  return beside([&] { buffer.own(); },
                [&](Side side) {
                  buffer.own();
                  const iovec mine{buffer.data(), bytes};
                  const iovec theirs = mine;
                  return least_us([&] {
                    const ssize_t moved =
                        in ? ::process_vm_writev(side.partner, &mine, 1, &theirs, 1, 0)
                           : ::process_vm_readv(side.partner, &mine, 1, &theirs, 1, 0);
                    if (moved == static_cast<ssize_t>(bytes)) return;
                    std::perror("this system lets no process copy from another");
                    std::exit(1);
                  });
                });
}

// store(shared, own) of so many doubles on each side.
template <class Store>
double doubles_us(std::size_t count, Store store) {
  auto* shared = reinterpret_cast<double*>(shared_bytes(count * sizeof(double)));
  const std::vector<double> own(count, 1.0);
  return beside([&] { std::fill_n(shared, count, 0.0); },
                [&](Side) {
                  return least_us([&] {
                    store(shared, own.data());
                    use(shared);
                  });
                });
}

}  // namespace

double store_us() {
  return line_us([](Shared<std::uint64_t>& word) {
    word.store_relaxed(2);  // Relaxed: nobody reads it meanwhile; the fence is what is timed
    full_fence();           // Pairs with nothing: only its cost matters
  });
}

double load_us() {
  return line_us([](const Shared<std::uint64_t>& word) {
    const std::uint64_t value = word.load_relaxed();  // Relaxed: nobody writes it meanwhile
    asm volatile("" : : "r"(value));
  });
}

double atomic_us() {
  // Relaxed: only its cost matters.
  return line_us([](Shared<std::uint64_t>& word) { word.fetch_add_relaxed(1); });
}

double held_atomic_us() {
  constexpr int kLines = 512;  // of 64 bytes: less than the first-level cache of the other core
  constexpr int kStep = 181;
  constexpr std::uint64_t kRounds = 200;
  struct Held {
    Line lines[kLines];
    Line written;
    Line taken;
  };
  Held& held = make_shared_object<Held>();
  double least = 0;
  run_pair([&](Side side) {
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      if (side.number == 1) {
        for (Line& line : held.lines) line.value.store_relaxed(round);  // Relaxed: post() follows
        held.written.post(round);
        held.taken.wait_for(round);
      } else {
        held.written.wait_for(round);
        const double start = now_us();
        for (int i = 0; i < kLines; ++i) {  // in an order in which none is prefetched
          held.lines[i * kStep % kLines].value.fetch_add_relaxed(1);  // Relaxed: post() follows
        }
        const double each = (now_us() - start) / kLines;
        least = round == 1 ? each : std::min(least, each);
        held.taken.post(round);
      }
    }
  });
  return least;
}

double copy_in_us(std::size_t bytes) { return copy_us(bytes, true); }
double copy_back_us(std::size_t bytes) { return copy_us(bytes, false); }

double system_write_us(std::size_t bytes) { return system_copy_us(bytes, true); }
double system_read_us(std::size_t bytes) { return system_copy_us(bytes, false); }

double add_us(std::size_t doubles) {
  return doubles_us(doubles, [doubles](double* sums, const double* own) {
    for (std::size_t i = 0; i < doubles; ++i) sums[i] += own[i];
  });
}

double column_us(std::size_t rows) {
  return doubles_us(rows * rows, [rows](double* to, const double* from) {
    for (std::size_t i = 0; i < rows; ++i) to[i * rows] = from[i * rows];
  });
}

}  // namespace atl::bench
