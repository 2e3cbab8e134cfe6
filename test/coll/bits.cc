// Reductions whose bits tell in which order they were made: one line for each, with a hash
// of what all ranks got. The argument says which run this is: memory lies elsewhere and
// other ranks are late in each (same_bits_test.py).
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "test/pattern.h"

namespace {

using Doubles = std::vector<double>;

struct Reduction {
  const char* name;
  void (*begin)(const void* in, double* out, int count, MPI_Request* request);
};

// The blocking ones leave the request alone.
const Reduction kReductions[] = {
    {"reduce",
     [](const void* in, double* out, int count, MPI_Request*) {
       if (in == MPI_IN_PLACE && check::rank != 0) in = out;
       MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
     }},
    {"allreduce",
     [](const void* in, double* out, int count, MPI_Request*) {
       MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"scan", [](const void* in, double* out, int count,
                MPI_Request*) { MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
    {"reduce_scatter_block",
     [](const void* in, double* out, int count, MPI_Request*) {
       MPI_Reduce_scatter_block(in, out, count / check::size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"iallreduce",
     [](const void* in, double* out, int count, MPI_Request* request) {
       MPI_Iallreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
     }},
    {"iexscan",
     [](const void* in, double* out, int count, MPI_Request* request) {
       MPI_Iexscan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
     }},
    {"allreduce_init",
     [](const void* in, double* out, int count, MPI_Request* request) {
       MPI_Allreduce_init(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                          request);
       MPI_Start(request);
     }},
};

// Of this rank, the same in each run; sums of them round.
void put_numbers(double* to, int count) {
  check::Random random(std::uint64_t(check::rank) + 1);
  for (int i = 0; i < count; ++i) {
    to[i] = std::ldexp(double(random.below(1u << 30)) - (1 << 29), int(random.below(60)) - 30);
  }
}

// At rank 0, of what all got.
std::uint64_t hash_of_all(const double* result, int count) {
  const std::uint64_t own = check::checksum(result, std::size_t(count) * sizeof(double));
  std::vector<std::uint64_t> all(std::size_t(check::size));
  MPI_Gather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::uint64_t hash = 0;
  for (const std::uint64_t one : all) hash = hash * 31 + one;
  return hash;
}

void run(const Reduction& reduction, int count, bool in_place, check::Random& random) {
  const std::size_t before = random.below(9), between = random.below(9);
  Doubles memory(2 * std::size_t(count) + before + between);
  double* const in = memory.data() + before;
  double* const out = in + count + between;
  put_numbers(in_place ? out : in, count);
  if (random.one_in(3)) usleep(useconds_t(random.below(300)));
  MPI_Request request = MPI_REQUEST_NULL;
  reduction.begin(in_place ? MPI_IN_PLACE : in, out, count, &request);
  const bool persistent = std::strstr(reduction.name, "_init") != nullptr;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (persistent) MPI_Request_free(&request);
  const std::uint64_t hash = hash_of_all(out, count);
  if (check::rank == 0) {
    std::printf("%s of %d%s: %016llx\n", reduction.name, count, in_place ? ", in place" : "",
                static_cast<unsigned long long>(hash));
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const auto number = std::strtoull(argc > 1 ? argv[1] : "0", nullptr, 10);
  check::Random random(number * 1000 + std::uint64_t(check::rank));
  for (const Reduction& reduction : kReductions) {
    for (const int each : {1, 100, 10000}) {
      for (const bool in_place : {false, true}) {
        run(reduction, each * check::size, in_place, random);
      }
    }
  }
  check::passed();
  return check::finish();
}
