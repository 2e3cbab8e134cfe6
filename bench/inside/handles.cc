// The cost of finding the object of a handle, by the number of objects.
// bazel run //bench:handles
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "runtime/core/handle_table.h"

namespace atl {
namespace {

struct Object {
  static constexpr HandleKind kHandleKind = HandleKind::comm;
  std::uint64_t words[8] = {};
};

// Objects of a table, in random order.
struct Objects {
  explicit Objects(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) handles.push_back(table.handle(table.create()));
    std::ranges::shuffle(handles, std::mt19937_64(1));
  }
  HandleTable<Object> table;
  std::vector<std::uintptr_t> handles;
};

void find(benchmark::State& state) {
  const Objects objects(state.range(0));
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(objects.table.find(objects.handles[next]));
    next = next + 1 < objects.handles.size() ? next + 1 : 0;
  }
}
BENCHMARK(find)->RangeMultiplier(10)->Range(1, 100000);

void create_and_destroy(benchmark::State& state) {
  Objects objects(state.range(0));
  for (auto _ : state) {
    Object& made = objects.table.create();
    benchmark::DoNotOptimize(&made);
    objects.table.destroy(made);
  }
}
BENCHMARK(create_and_destroy)->Arg(1)->Arg(10000);

// The lookup of a stale handle: the check that every call makes of its arguments.
void find_freed(benchmark::State& state) {
  Objects objects(1);
  Object& made = objects.table.create();
  const std::uintptr_t handle = objects.table.handle(made);
  objects.table.destroy(made);
  for (auto _ : state) benchmark::DoNotOptimize(objects.table.find(handle));
}
BENCHMARK(find_freed);

}  // namespace
}  // namespace atl

BENCHMARK_MAIN();
