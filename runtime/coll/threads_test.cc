// Threads as the ranks of one communicator, each with its own side of the collective buffer, so
// that ThreadSanitizer checks their accesses without locks. No thread sleeps; the models under
// shm/model cover sleeping.
#include "runtime/coll/calls.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace atl::coll {
namespace {

constexpr int kMostValues = 100000;  // more than a buffer slot holds

// One rank. The ranks share only the segment.
class Rank {
 public:
  Rank(int rank, int size, shm::ContextId context)
      : comm_(RankMap::range(0, 1, size), rank, context), channel_(comm_) {}

  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }

  void attach() {
    wait([&](shm::PollMode) { return channel_.attached(); });
  }

  template <class Exchange, class Call>
  void in_one_round(const Call& call) {
    Ticket ticket(channel_);
    shared_memory::OneRound<Exchange> round(call, ticket);
    {
      auto free_space = round.free_space();
      wait(free_space);
    }
    round.write_contribution();
    wait(round);
    wrong_ += static_cast<bool>(round.read_contributions());
  }

  template <class Call>
  void as_task(Task (*body)(const Call&, Operation&, Ticket), const Call& call) {
    Operation operation(comm_);
    Task task = body(call, operation, Ticket(channel_));
    task.resume();
    wait([&](shm::PollMode mode) { return task.done() || (operation.poll(mode), task.done()); });
    wrong_ += static_cast<bool>(operation.error());
  }

  void allreduce(int count, bool long_way) {
    const std::vector<int> mine(static_cast<std::size_t>(count), rank() + 1);
    std::vector<int> sum(mine.size());
    const Allreduce call(mine.data(), sum.data(), count, MPI_INT, *find_op(MPI_SUM), comm_);
    if (!long_way) {
      in_one_round<shared_memory::FlatAllreduce>(call);
    } else {
      as_task(count % 2 == 0 ? shared_memory::pipelined_allreduce
                             : shared_memory::reduce_scatter_allgather,
              call);
    }
    check(sum, size() * (size() + 1) / 2);
  }

  void bcast(int count, int root, bool long_way) {
    std::vector<int> data(static_cast<std::size_t>(count), rank() == root ? 77 : 0);
    const Bcast call(data.data(), count, &type_, root, comm_);
    if (long_way) {
      as_task(shared_memory::pipelined_bcast, call);
    } else {
      in_one_round<shared_memory::FlatBcast>(call);
    }
    check(data, 77);
  }

  void reduce(int count, int root) {
    const std::vector<int> mine(static_cast<std::size_t>(count), rank() + 1);
    std::vector<int> sum(mine.size());
    const Reduce call(mine.data(), sum.data(), count, MPI_INT, *find_op(MPI_SUM), root, comm_);
    in_one_round<shared_memory::FlatReduce>(call);
    if (rank() == root) check(sum, size() * (size() + 1) / 2);
  }

  void alltoall(int count, bool long_way) {
    const std::vector<int> out(static_cast<std::size_t>(count * size()), 5);
    std::vector<int> in(out.size());
    const Alltoall call(out.data(), count, &type_, in.data(), count, &type_, comm_);
    if (long_way) {
      as_task(shared_memory::pipelined_alltoall, call);
    } else {
      in_one_round<shared_memory::FlatAlltoall>(call);
    }
    check(in, 5);
  }

  int wrong() const { return wrong_; }

 private:
  template <class Condition>
  static void wait(Condition&& condition) {
    while (!condition(shm::PollMode::complete)) std::this_thread::yield();
  }

  void check(const std::vector<int>& values, int expected) {
    for (const int value : values) wrong_ += value != expected;
  }

  const Datatype& type_ = *datatypes.find(MPI_INT);
  Communicator comm_;
  Channel channel_;
  int wrong_ = 0;
};

// The same operations in the same order on all ranks.
void random_operations(Rank& self, unsigned seed) {
  std::mt19937 random(seed);
  self.attach();
  for (int round = 0; round < 150; ++round) {
    const bool long_way = random() % 4 == 0;
    const int count = static_cast<int>(random() % (long_way ? kMostValues : 900)) + 1;
    const int root = static_cast<int>(random() % static_cast<unsigned>(self.size()));
    switch (random() % 4) {
      case 0: self.allreduce(count, long_way); break;
      case 1: self.bcast(count, root, long_way); break;
      case 2: self.reduce(std::min(count, 900), root); break;
      case 3: self.alltoall(count, long_way); break;
    }
  }
}

void run(int size, bool shares_cores, unsigned seed) {
  auto made = shm::Segment::create(
      {.size = static_cast<std::uint32_t>(size), .flags = shares_cores ? shm::kJobSharedCores : 0});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  process.segment.emplace(std::move(std::get<shm::Segment>(made)));
  // In a real process a lock protects all state except the collective buffer. Here the state that
  // reductions cache is therefore created before the threads start.
  const op::Reduction known(*find_op(MPI_SUM), *datatypes.find(MPI_INT), MPI_INT);
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int rank = 0; rank < size; ++rank) ranks.push_back(std::make_unique<Rank>(rank, size, 3));
  std::vector<std::thread> threads;
  for (auto& rank : ranks) threads.emplace_back(random_operations, std::ref(*rank), seed);
  for (std::thread& thread : threads) thread.join();
  for (const auto& rank : ranks) CHECK(rank->wrong() == 0);
}

TEST_CASE("threads as ranks, each with a core of its own") {
  for (const int size : {2, 3, 5}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      CAPTURE(size);
      CAPTURE(seed);
      run(size, false, seed);
    }
  }
}

TEST_CASE("threads as ranks that share cores") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    run(4, true, seed);
  }
}

}  // namespace
}  // namespace atl::coll
