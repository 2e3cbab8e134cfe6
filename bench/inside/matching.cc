// The cost of finding the posted receive of a message, and the unexpected message of a
// receive, while many others are queued. It should not grow with the entries for other sources
// or tags. Then the cost of completing requests while many others are pending: a call that
// has to read all its handles grows with their number, but the calls that wait do not.
// bazel run //bench:matching
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/p2p/completion.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/matching.h"

namespace atl::p2p {
namespace {

constexpr std::int32_t kSource = 3, kTag = 7;  // of the searched entry

// How the other queued entries differ.
enum class Others { sources, tags, any_source };

std::int32_t source_of(Others others, std::int32_t i) {
  if (others == Others::sources) return kSource + 1 + i;
  return others == Others::tags ? kSource : MPI_ANY_SOURCE;
}
std::int32_t tag_of(Others others, std::int32_t i) {
  return others == Others::sources ? kTag : kTag + 1 + i;
}

// Receives that are posted, and unposted by the destructor.
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
  context.enqueue(std::move(message));
}

// A message arrives for the last of the receives.
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
    context.enqueue(context.take(*found));
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

// A receive that is neither queued nor complete.
MPI_Request outstanding() {
  Request& made = requests.create();
  made.kind = RequestKind::receive;
  made.stage = Stage::active;
  return handle_of(made);
}

// `count` such receives, completed and finished by the destructor.
class Handles {
 public:
  explicit Handles(std::int64_t count) : all_(static_cast<std::size_t>(count)) {
    for (MPI_Request& one : all_) one = outstanding();
  }
  ~Handles() {
    for (MPI_Request one : all_) {
      if (one != MPI_REQUEST_NULL) free_request(*find_request(one));
    }
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  int count() const { return static_cast<int>(all_.size()); }
  MPI_Request* data() { return all_.data(); }
  MPI_Request& last() { return all_.back(); }
  void complete_last() { engine->complete(*find_request(last())); }

 private:
  std::vector<MPI_Request> all_;
};

// The last of them completes, repeatedly.
void waitany(benchmark::State& state) {
  Handles handles(state.range(0));
  int index = 0;
  for (auto _ : state) {
    handles.complete_last();
    benchmark::DoNotOptimize(
        p2p::waitany(handles.count(), handles.data(), &index, MPI_STATUS_IGNORE));
    handles.last() = outstanding();
  }
}

void waitsome(benchmark::State& state) {
  Handles handles(state.range(0));
  std::vector<int> indices(static_cast<std::size_t>(handles.count()));
  int count = 0;
  for (auto _ : state) {
    handles.complete_last();
    benchmark::DoNotOptimize(p2p::waitsome(handles.count(), handles.data(), &count, indices.data(),
                                           MPI_STATUSES_IGNORE));
    handles.last() = outstanding();
  }
}

// None of them is complete.
void testall(benchmark::State& state) {
  Handles handles(state.range(0));
  int flag = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        p2p::testall(handles.count(), handles.data(), &flag, MPI_STATUSES_IGNORE));
  }
}

// All are complete: the time is for all of them together.
void waitall(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Handles handles(state.range(0));
    for (int i = 0; i < handles.count(); ++i) engine->complete(*find_request(handles.data()[i]));
    state.ResumeTiming();
    benchmark::DoNotOptimize(p2p::waitall(handles.count(), handles.data(), MPI_STATUSES_IGNORE));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

#define OVER_ENTRIES(function) BENCHMARK(function)->RangeMultiplier(10)->Range(1, 10000)
OVER_ENTRIES(find_posted<Others::sources>);
OVER_ENTRIES(find_posted<Others::tags>);
OVER_ENTRIES(find_posted<Others::any_source>);
OVER_ENTRIES(find_unexpected<Others::sources>);
OVER_ENTRIES(find_unexpected<Others::tags>);
OVER_ENTRIES(find_unexpected_of_any<Others::tags>);

#define OVER_REQUESTS(function) BENCHMARK(function)->Arg(1)->Arg(64)->Arg(10000)->Arg(100000)
OVER_REQUESTS(waitany);
OVER_REQUESTS(waitsome);
OVER_REQUESTS(testall);
OVER_REQUESTS(waitall);

}  // namespace
}  // namespace atl::p2p

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (atl::join_job()) return 1;  // a job of one rank
  atl::p2p::engine = std::make_unique<atl::p2p::Engine>();
  benchmark::RunSpecifiedBenchmarks();
  atl::p2p::engine.reset();
  return 0;
}
