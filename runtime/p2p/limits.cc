#include "runtime/p2p/limits.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/clock.h"
#include "runtime/core/process.h"
#include "runtime/p2p/packet.h"
#include "shm/rendezvous.h"

namespace atl::p2p {
namespace {

using datatype::Datatype;

// Messages up to kLeastLimit are eager on any machine. Above kMostLimit they use rendezvous,
// since the memory of unexpected messages would count.
constexpr std::uint64_t kLeastLimit = 32 * 1024;
constexpr std::uint64_t kMostLimit = 1024 * 1024;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSample = 64 * 1024;

// Nanoseconds of the fastest of some calls; the first calls fault the pages in.
template <class Call>
double best_of(int calls, Call call) {
  double best = 1e18;
  for (int i = 0; i < calls; ++i) {
    const std::int64_t start = monotonic_ns();
    call();
    best = std::min(best, static_cast<double>(monotonic_ns() - start));
  }
  return best;
}

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};

// What copying costs on this machine, in nanoseconds.
struct Costs {
  double copy = 0;    // per byte, in a cache
  double kernel = 0;  // per byte, by the kernel
  double call = 0;    // per call of the kernel's copy, with one page
  double tick = 0;    // per tick of the processor's clock
};

Costs measure() {
  using Memory = std::unique_ptr<std::byte, FreeMemory>;
  const Memory from(static_cast<std::byte*>(std::aligned_alloc(kPage, kSample)));
  const Memory to(static_cast<std::byte*>(std::aligned_alloc(kPage, kSample)));
  if (from == nullptr || to == nullptr) return {};
  std::memset(from.get(), 1, kSample);
  const std::int64_t start = monotonic_ns();
  const std::uint64_t start_ticks = ticks();
  const int self = ::getpid();
  const auto address = reinterpret_cast<std::uint64_t>(from.get());
  const auto kernel_copy = [&](std::size_t bytes) {
    return best_of(4, [&] { shm::copy_from_process(self, to.get(), address, bytes); });
  };
  const double copy = best_of(4, [&] { std::memcpy(to.get(), from.get(), kSample); });
  const double short_call = kernel_copy(kPage);
  const double long_call = kernel_copy(kSample);
  return {copy / kSample, std::max((long_call - short_call) / (kSample - kPage), 1e-6), short_call,
          static_cast<double>(monotonic_ns() - start) / static_cast<double>(ticks() - start_ticks)};
}

const Costs& costs() {
  static const Costs measured = measure();
  return measured;
}

// The length from which the kernel's copy by both sides takes less time than two
// copies through the ring: fixed + n / (2 * kernel) against n / ring.
double crossing(std::uint64_t latency) {
  // Two overlapping copies reach kOverlapped of the speed of one in a cache; kUnderWay bytes are
  // in flight between the cores at a time.
  constexpr double kOverlapped = 0.65;
  constexpr double kUnderWay = 1500;
  constexpr double kHandshake = 1000;  // ns: RTS, CTS and claims
  const Costs& cost = costs();
  const double ring =
      std::max(cost.copy / kOverlapped, cost.tick * static_cast<double>(latency) / kUnderWay);
  const double gain = ring - cost.kernel / 2;
  return gain <= 0 ? kMostLimit : (kHandshake + cost.call) / gain;
}

std::uint64_t last_limit = 0;  // for types without gaps; 0: not needed so far

std::uint64_t limit_without_gaps(std::uint64_t latency) {
  return last_limit = static_cast<std::uint64_t>(
             std::clamp(crossing(latency), 1.0 * kLeastLimit, 1.0 * kMostLimit));
}

bool runs_below(const Datatype& type, std::size_t bytes) {  // contiguous blocks, on average
  return !type.is_contiguous() && type.size() / type.program().contiguous_blocks() < bytes;
}

constexpr std::size_t kShort = 2048;  // bytes of a contiguous block; longer ones are `rep movsb`

// Short contiguous blocks so far apart that each waits for a cache line that is not prefetched.
bool is_sparse(const Datatype& type, std::size_t count) {
  constexpr double kFarApart = 1000;  // bytes of memory per block; the last gap is missing
  if (!runs_below(type, shm::kCacheLine)) return false;
  const auto elements = static_cast<double>(count);
  const double span = static_cast<double>(type.true_extent()) +
                      (elements - 1) * std::abs(static_cast<double>(type.extent()));
  return span >= kFarApart * elements * static_cast<double>(type.program().contiguous_blocks());
}

}  // namespace

bool is_far(std::uint64_t latency) {
  constexpr double kFar = 120;  // ns; within a cache of the third level it is half of that
  return latency != 0 && costs().tick * static_cast<double>(latency) > kFar;
}

std::uint32_t fragment_limit(const Datatype& type, std::size_t count) {
  // Short blocks take long, so the receiver should start early; sparse ones take longer still.
  constexpr std::uint64_t kMedium = 64 * 1024;
  constexpr std::uint32_t kEarlyFragment = 2 * 1024;
  constexpr std::uint64_t kLeastFragment = 256;
  constexpr std::uint64_t kSparseFragments = 32;
  const std::uint64_t bytes = count * type.size();
  if (is_sparse(type, count)) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(bytes / kSparseFragments, kLeastFragment, kLongFragment));
  }
  if (bytes > kMedium) return kLongFragment;
  return runs_below(type, kShort) ? kEarlyFragment : kFirstFragment;
}

bool gathers(const Datatype& type, std::uint64_t latency) {
  return runs_below(type, kShort) && is_far(latency);
}

bool goes_by_bands(const Datatype& type) {
  constexpr std::size_t kKept = 64 * 1024;  // bytes; well within a second-level cache
  return !type.is_contiguous() && type.program().band() > kKept;
}

std::uint64_t eager_limit(const Datatype& type, std::uint64_t bytes, std::uint64_t latency) {
  if (settings.eager_bytes) return *settings.eager_bytes;
  if (bytes <= kLeastLimit) return kLeastLimit;
  if (!type.is_contiguous()) return kMostLimit;
  return limit_without_gaps(latency);
}

std::string protocol_table() {
  const auto row = [](const char* name, std::uint64_t bytes, const char* how) {
    std::string line = name;
    line.resize(14, ' ');
    return line + "up to " + std::to_string(bytes) + " bytes" + how + "\n";
  };
  const std::uint64_t eager = settings.eager_bytes ? *settings.eager_bytes
                              : last_limit != 0    ? last_limit
                                                   : limit_without_gaps(0);
  return row("inline", PacketHeader::kSmallBytes, ": within the slot of the ring") +
         row("eager", eager, ": copied twice, through the ring") +
         (settings.single_copy ? "copied once   above: by the kernel\n"
                               : "copied twice  above: through the ring, when it is received\n");
}

std::uint64_t single_copy_fragment(std::uint64_t bytes) {
  if (settings.fragment_bytes != 0) return settings.fragment_bytes;
  // Halves are best when both sides copy from the start, smaller fragments when one side comes
  // late. Above some length neither matters.
  const std::uint64_t half = (bytes / 2 + kPage - 1) & ~(kPage - 1);
  return std::clamp<std::uint64_t>(half, 32 * 1024, 512 * 1024);
}

}  // namespace atl::p2p
