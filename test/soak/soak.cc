// Random but legal MPI programs, for as long as one wants: see README.md beside this file.
//
// All ranks draw the same plan for each round from the seed and the round's number (plan.h),
// and play their parts. What is received is compared with what must come.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

#include "test/check.h"
#include "test/seed.h"
#include "test/soak/layout.h"
#include "test/soak/memory.h"
#include "test/soak/options.h"
#include "test/soak/plan.h"
#include "test/soak/thread_ring.h"
#include "test/soak/where.h"

namespace {

using soak::Options;

// Rounds between two moments at which the ranks agree whether to go on. Tags are told apart
// within 16 rounds (Draw::tag), so no more than 8.
constexpr long kTogether = 8;

constexpr int kAttached = 16 << 20;  // bytes for buffered sends

void report(MPI_Comm*, int* code, ...) { check::fail("MPI", 0, check::error_text(*code)); }

// Each error that no step expects is a failure, with the place in the plan.
void report_errors() {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(report, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

// Each thread's own communicator, and another one for each on which all threads meet.
struct Bases {
  std::vector<MPI_Comm> own;
  soak::ThreadRing ring;
};

Bases make_bases(const Options& options) {
  Bases bases{std::vector<MPI_Comm>(std::size_t(std::max(1, options.threads))), {}};
  for (MPI_Comm& base : bases.own) MPI_Comm_dup(MPI_COMM_WORLD, &base);
  bases.ring = {std::vector<MPI_Comm>(std::size_t(options.threads)), options.seed};
  for (MPI_Comm& base : bases.ring.comms) MPI_Comm_dup(MPI_COMM_WORLD, &base);
  return bases;
}

void free_bases(Bases& bases) {
  for (MPI_Comm& base : bases.own) MPI_Comm_free(&base);
  for (MPI_Comm& base : bases.ring.comms) MPI_Comm_free(&base);
}

// The choices of a thread of this rank in a round.
check::Random own_choices(const Options& options, int thread, long round) {
  const std::uint64_t thread_of_round =
      std::uint64_t(round) * soak::kMostThreads + unsigned(thread);
  return check::Random(options.seed * 7919 + thread_of_round * 4096 + unsigned(check::rank));
}

// One thread's rounds. Returns its operations.
long long play_rounds(const Options& options, const Bases& bases, int thread, long from, long to) {
  soak::set_thread(thread);
  long long operations = 0;
  for (long round = from; round < to; ++round) {
    soak::set_round(round);
    soak::Plan plan({options.seed, thread, options.weights}, round, bases.own[std::size_t(thread)],
                    check::size, check::rank);
    check::Random own = own_choices(options, thread, round);
    operations += plan.play(own);
    if (options.threads > 0) operations += soak::play_thread_ring(bases.ring, thread, round, own);
  }
  soak::set_nowhere("behind its rounds");
  return operations;
}

long long play_in_threads(const Options& options, const Bases& bases, long from, long to) {
  if (options.threads == 0) return play_rounds(options, bases, 0, from, to);
  std::vector<long long> operations(bases.own.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    threads.emplace_back([&, i] { operations[i] = play_rounds(options, bases, int(i), from, to); });
  }
  for (std::thread& thread : threads) thread.join();
  return std::accumulate(operations.begin(), operations.end(), 0LL);
}

// Whether there are more rounds: rank 0's clock says it.
bool go_on(const Options& options, long done, double begin) {
  int more = options.rounds >= 0 ? done < options.rounds : MPI_Wtime() - begin < options.seconds;
  int all = 0;
  if (check::rank > 0) more = 1;
  MPI_Allreduce(&more, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

struct Total {
  long rounds = 0;
  long long operations = 0;
  soak::MemoryLog memory;
};

Total run(const Options& options, const Bases& bases) {
  Total total;
  std::vector<char> attached(kAttached);
  const double begin = MPI_Wtime();
  while (go_on(options, total.rounds, begin)) {
    long count = kTogether;
    if (options.rounds >= 0) count = std::min(count, options.rounds - total.rounds);
    const long from = options.from + total.rounds;
    MPI_Buffer_attach(attached.data(), kAttached);
    total.operations += play_in_threads(options, bases, from, from + count);
    total.rounds += count;
    void* address = nullptr;
    int size = 0;
    MPI_Buffer_detach(&address, &size);
    if (options.memory) total.memory.note();
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  Options options = soak::parse(argc, argv);
  if (options.memory) soak::take_memory_from_one_place();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, options.threads > 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                  &provided);
  check::set_rank_and_size();
  if (options.seed == 0) options.seed = check::shared_seed();
  soak::set_seed(options.seed);
  soak::tell_when_ended();
  report_errors();
  if (check::rank == 0) std::printf("soak --seed=%llu\n", (unsigned long long)options.seed);

  soak::make_bases();
  Bases bases = make_bases(options);
  const Total total = run(options, bases);
  free_bases(bases);
  soak::free_bases();
  if (check::rank == 0) {
    std::printf("%ld rounds, %lld operations\n", total.rounds, total.operations);
  }
  if (options.memory && !total.memory.report()) check::fail(__FILE__, __LINE__, "memory grows");
  return check::finish();
}
