// Prints the cost of sending a message by every method and fragment size: the table
// from which Atoll's thresholds are chosen. bazel run //bench:copy_table
#include <algorithm>
#include <cstdio>

#include "bench/copies.h"

namespace atl::bench {
namespace {

int round_trips(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>(4 * kMiB / bytes, 1, 200));
}

// One column: microseconds and gigabytes a second.
void cell(double us, std::size_t bytes) {
  std::printf(" %9.2f %5.1f", us, static_cast<double>(bytes) / us / 1e3);
  std::fflush(stdout);
}

template <class Method, class... Arguments>
void measure(std::size_t bytes, Arguments... arguments) {
  Method method(bytes, arguments...);
  cell(one_way_us(method, round_trips(bytes)), bytes);
}

void ring_table(std::size_t ring) {
  constexpr std::size_t kChunks[] = {4 * kKiB, 8 * kKiB, 16 * kKiB, 32 * kKiB};
  std::printf("\nTwo copies through a ring of %zu KiB, by chunk; us and GB/s\n%8s", ring / kKiB,
              "bytes");
  for (std::size_t chunk : kChunks) std::printf(" %11zu KiB", chunk / kKiB);
  std::printf("\n");
  for (std::size_t bytes = kKiB; bytes <= 16 * kMiB; bytes *= 4) {
    std::printf("%8zu", bytes);
    for (std::size_t chunk : kChunks) measure<RingCopy>(bytes, ring, chunk);
    std::printf("\n");
  }
}

void system_table() {
  using Who = SystemCopy::Who;
  constexpr std::size_t kPieces[] = {16 * kKiB, 32 * kKiB, 64 * kKiB, 128 * kKiB, 256 * kKiB};
  std::printf("\nOne copy by the system; us and GB/s\n%8s %15s %15s", "bytes", "receiver alone",
              "halves");
  for (std::size_t piece : kPieces) std::printf("  pieces %3zu KiB", piece / kKiB);
  std::printf("\n");
  for (std::size_t bytes = 4 * kKiB; bytes <= 16 * kMiB; bytes *= 2) {
    std::printf("%8zu", bytes);
    measure<SystemCopy>(bytes, Who::receiver);
    measure<SystemCopy>(bytes, Who::halves);
    for (std::size_t piece : kPieces) {
      if (piece < bytes) measure<SystemCopy>(bytes, Who::pieces, piece);
    }
    std::printf("\n");
  }
}

void memcpy_table() {
  std::printf("\nOne memcpy out of shared memory that the other core wrote; us and GB/s\n");
  for (std::size_t bytes = 4 * kKiB; bytes <= 16 * kMiB; bytes *= 4) {
    std::printf("%8zu", bytes);
    cell(copy_out_us(bytes), bytes);
    std::printf("\n");
  }
}

void hops() {
  CacheLineExchange two(false);
  CacheLineExchange one(true);
  std::printf("Cache-line latency: %.3f us (a line each way), %.3f us (the same line)\n",
              one_way_us(two, 2000), one_way_us(one, 2000));
}

}  // namespace
}  // namespace atl::bench

int main() {
  atl::bench::hops();
  atl::bench::memcpy_table();
  for (std::size_t ring : {64, 256, 1024}) atl::bench::ring_table(ring * atl::bench::kKiB);
  atl::bench::system_table();
}
