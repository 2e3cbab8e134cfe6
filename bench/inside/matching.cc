// What it costs to find the receive of a message, and the message of a receive, while
// many others wait. Nothing should grow with what is queued for other sources or tags.
// bazel run //bench:matching
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>

#include "runtime/p2p/matching.h"

namespace atl::p2p {
namespace {

constexpr std::int32_t kSource = 3, kTag = 7;  // of what is looked for

// Who else is queued.
enum class Others { sources, tags, any_source };

std::int32_t source_of(Others others, std::int32_t i) {
  if (others == Others::sources) return kSource + 1 + i;
  return others == Others::tags ? kSource : MPI_ANY_SOURCE;
}
std::int32_t tag_of(Others others, std::int32_t i) {
  return others == Others::sources ? kTag : kTag + 1 + i;
}

// Receives that are posted, and unposted again before they end.
class Posted {
 public:
  explicit Posted(MatchContext& context) : context_(context) {}
  ~Posted() {
    for (Request& receive : receives_) context_.unpost(receive);
  }
  Posted(const Posted&) = delete;
  Posted& operator=(const Posted&) = delete;

  Request& post(std::int32_t source, std::int32_t tag) {
    Request& receive = receives_.emplace_back();
    receive.kind = RequestKind::receive;
    receive.peer = source;
    receive.tag = tag;
    context_.post(receive);
    return receive;
  }

 private:
  MatchContext& context_;
  std::deque<Request> receives_;
};

void keep(MatchContext& context, std::int32_t source, std::int32_t tag) {
  auto message = std::make_unique<Unexpected>();
  message->source = source;
  message->tag = tag;
  context.keep(std::move(message));
}

// A message comes for the last of the receives.
template <Others kOthers>
void find_posted(benchmark::State& state) {
  MatchContext context(1);
  Posted posted(context);
  for (std::int32_t i = 0; i < state.range(0) - 1; ++i) {
    posted.post(source_of(kOthers, i), tag_of(kOthers, i));
  }
  Request& wanted = posted.post(kSource, kTag);
  for (auto _ : state) {
    Request* found = context.find_posted(kSource, kTag);
    context.unpost(*found);
    context.post(*found);
    benchmark::DoNotOptimize(found);
  }
  if (context.find_posted(kSource, kTag) != &wanted) state.SkipWithError("the wrong receive");
}

// A receive is posted for the last of the messages.
template <Others kOthers>
void find_unexpected(benchmark::State& state) {
  MatchContext context(1);
  for (std::int32_t i = 0; i < state.range(0) - 1; ++i) {
    keep(context, source_of(kOthers, i), tag_of(kOthers, i));
  }
  keep(context, kSource, kTag);
  for (auto _ : state) {
    Unexpected* found = context.find_unexpected(kSource, kTag);
    context.keep(context.take(*found));
    benchmark::DoNotOptimize(found);
  }
}

// The same for a receive from any source.
template <Others kOthers>
void find_unexpected_of_any(benchmark::State& state) {
  MatchContext context(1);
  for (std::int32_t i = 0; i < state.range(0) - 1; ++i) {
    keep(context, kSource + 1 + i % 64, tag_of(kOthers, i));
  }
  keep(context, kSource, kTag);
  for (auto _ : state) {
    benchmark::DoNotOptimize(context.find_unexpected(MPI_ANY_SOURCE, kTag));
  }
}

#define OVER_ENTRIES(function) BENCHMARK(function)->RangeMultiplier(10)->Range(1, 10000)
OVER_ENTRIES(find_posted<Others::sources>);
OVER_ENTRIES(find_posted<Others::tags>);
OVER_ENTRIES(find_posted<Others::any_source>);
OVER_ENTRIES(find_unexpected<Others::sources>);
OVER_ENTRIES(find_unexpected<Others::tags>);
OVER_ENTRIES(find_unexpected_of_any<Others::tags>);

}  // namespace
}  // namespace atl::p2p

BENCHMARK_MAIN();
