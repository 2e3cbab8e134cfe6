// Packing and unpacking by a compiled datatype, compared with memcpy of as many bytes
// and with loops written by hand. All three are measured in turn, so that the
// ratios are meaningful: of_hand and of_memcpy are fractions of their speed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/datatype_layouts.h"
#include "datatype/banded.h"

namespace atl::bench {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kOffset = 64;

struct Buffers {
  explicit Buffers(const Layout& layout)
      : stream_bytes(layout.count * layout.type->size()),
        memory(layout.memory_bytes + kOffset, std::byte{1}),
        stream(stream_bytes + kOffset, std::byte{2}),
        other(stream_bytes + kOffset, std::byte{3}) {}

  std::size_t stream_bytes;
  std::vector<std::byte> memory;
  std::vector<std::byte> stream;
  std::vector<std::byte> other;
};

// Seconds per call, measured over `repetitions` calls.
template <class Call>
double seconds(std::size_t repetitions, Call call) {
  const auto start = Clock::now();
  for (std::size_t i = 0; i < repetitions; ++i) call();
  return Seconds(Clock::now() - start).count() / static_cast<double>(repetitions);
}

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

// Moves `piece` bytes of the stream at a time, as a message in fragments; all at once for 0.
template <bool kPack>
void move(const Layout& layout, Buffers& buffers, std::size_t piece) {
  const std::span<std::byte> stream(buffers.stream.data(), buffers.stream_bytes);
  if (piece == 0) piece = stream.size();
  datatype::BandedPack packing(*layout.type, buffers.memory.data(), stream.size());
  datatype::BandedUnpack unpacking(*layout.type, buffers.memory.data());
  for (std::size_t start = 0; start < stream.size(); start += piece) {
    const auto part = stream.subspan(start, std::min(piece, stream.size() - start));
    if constexpr (kPack) {
      packing.pack(start, part);
    } else {
      unpacking.unpack(start, part);
    }
  }
  unpacking.flush();
}

template <bool kPack>
void compare(benchmark::State& state, const Layout& layout, std::size_t piece) {
  Buffers buffers(layout);
  const std::size_t repetitions = std::max<std::size_t>(1, 100000 / buffers.stream_bytes);
  const Loop& by_hand = kPack ? layout.pack : layout.unpack;
  std::vector<double> ours, hand, copy;
  for (auto _ : state) {
    ours.push_back(seconds(repetitions, [&] { move<kPack>(layout, buffers, piece); }));
    hand.push_back(seconds(repetitions, [&] {
      by_hand(buffers.memory.data(), buffers.stream.data());
      benchmark::ClobberMemory();
    }));
    copy.push_back(seconds(repetitions, [&] {
      std::memcpy(buffers.other.data(), buffers.stream.data(), buffers.stream_bytes);
      benchmark::ClobberMemory();
    }));
    state.SetIterationTime(ours.back());
  }
  const double time = median(ours);
  state.counters["of_hand"] = median(hand) / time;
  state.counters["of_memcpy"] = median(copy) / time;
  state.counters["GB/s"] = static_cast<double>(buffers.stream_bytes) / time / 1e9;
}

void add(const Layout& layout, const std::string& suffix, std::size_t piece) {
  const auto with = [&](auto function, const char* name) {
    benchmark::RegisterBenchmark((name + layout.name + suffix).c_str(),
                                 [=](benchmark::State& state) { function(state, layout, piece); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  with(compare<true>, "pack/");
  with(compare<false>, "unpack/");
}

}  // namespace
}  // namespace atl::bench

int main(int argc, char** argv) {
  for (const atl::bench::Layout& layout : atl::bench::layouts()) {
    atl::bench::add(layout, "", 0);
    if (layout.name.starts_with("transpose")) {
      for (const std::size_t kib : {8, 16, 32, 128}) {
        atl::bench::add(layout, "/" + std::to_string(kib) + "_KiB", kib * 1024);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
