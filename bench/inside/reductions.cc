// The loops of the predefined reduction operations, by type and length; bytes per second
// count one operand. bazel run //bench:reductions
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "datatype/predefined.h"
#include "runtime/op/reduction_kernels.h"

namespace atl::op {
namespace {

struct Type {
  const char* name;
  MPI_Datatype handle;
};
const Type kTypes[] = {{"int8", MPI_INT8_T},   {"int32", MPI_INT32_T},
                       {"int64", MPI_INT64_T}, {"float", MPI_FLOAT},
                       {"double", MPI_DOUBLE}, {"double_int", MPI_DOUBLE_INT}};

struct Operation {
  const char* name;
  Code code;
};
constexpr Operation kOperations[] = {
    {"sum", Code::sum}, {"max", Code::max}, {"band", Code::band}, {"maxloc", Code::maxloc}};

void reduce(benchmark::State& state, Kernel kernel, std::size_t bytes_each) {
  const auto count = static_cast<std::size_t>(state.range(0)) / bytes_each;
  std::vector<double> left(count * bytes_each / sizeof(double) + 1, 1), right(left), out(left);
  for (auto _ : state) {
    kernel(left.data(), right.data(), out.data(), count);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(count * bytes_each));
}

void add(const Operation& operation, const Type& type) {
  const auto* datatype = datatype::predefined(reinterpret_cast<std::uintptr_t>(type.handle));
  const auto operand = datatype == nullptr ? std::nullopt : operand_of(*datatype);
  const Kernel kernel = operand ? find_kernel(operation.code, *operand) : nullptr;
  if (kernel == nullptr) return;
  const auto bytes = static_cast<std::size_t>(datatype->extent());  // a pair may contain a gap
  benchmark::RegisterBenchmark((std::string(operation.name) + "/" + type.name).c_str(), reduce,
                               kernel, bytes)
      ->Arg(64)
      ->Arg(4 << 10)
      ->Arg(1 << 20);
}

}  // namespace
}  // namespace atl::op

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const auto& operation : atl::op::kOperations) {
    for (const auto& type : atl::op::kTypes) atl::op::add(operation, type);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
