// Ranks in one process, each with its own side of the collective buffer.
#include "runtime/coll/framework/fold.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <type_traits>
#include <variant>
#include <vector>

namespace atl::coll::shared_memory {
namespace {

constexpr int kRanks = 5;
constexpr Round kRound = 1;
constexpr int kNothing = -77;

struct Rank {
  explicit Rank(int rank) : comm(RankMap::range(0, 1, kRanks), rank, 3), channel(comm) {}
  Communicator comm;
  Channel channel;
};

template <class T>
struct Job {
  Job(int count, MPI_Datatype handle) : type(handle), values(kRanks) {
    auto made = shm::Segment::create({.size = kRanks});
    REQUIRE(std::holds_alternative<shm::Segment>(made));
    process.segment.emplace(std::move(std::get<shm::Segment>(made)));
    std::mt19937 random(5);
    for (int rank = 0; rank < kRanks; ++rank) {
      ranks.push_back(std::make_unique<Rank>(rank));
      for (int i = 0; i < count; ++i) {
        const int value = static_cast<int>(random() % 1000) - 500;
        // Sums of very different numbers depend on the order.
        values[static_cast<std::size_t>(rank)].push_back(
            static_cast<T>(std::is_integral_v<T> ? value : value * std::pow(10, random() % 20)));
      }
    }
    for (auto& rank : ranks) REQUIRE(rank->channel.attached());
    for (int rank = 0; rank < kRanks; ++rank) publish(rank, values[static_cast<std::size_t>(rank)]);
  }

  void publish(int rank, std::vector<T> of) {
    const Data data{of.data(), of.size(), datatypes.find(type)};
    ranks[static_cast<std::size_t>(rank)]->channel.write(kRound, data, 0, data.bytes());
  }

  // What `rank` makes of `count` elements from `start` on.
  std::vector<T> folded(int rank, std::size_t start, std::size_t count, int last, const Op& op,
                        const T* own = nullptr) {
    const ReductionArguments arguments(nullptr, nullptr, 0, type, op);
    std::vector<T> result(count + 1, kNothing);
    fold(ranks[static_cast<std::size_t>(rank)]->channel,
         {.round = kRound,
          .bytes = values[0].size() * sizeof(T),
          .start = start * sizeof(T),
          .count = count,
          .own = reinterpret_cast<const std::byte*>(own)},
         last, arguments, reinterpret_cast<std::byte*>(result.data()));
    CHECK(result.back() == kNothing);  // nothing is written behind the elements
    result.pop_back();
    return result;
  }

  MPI_Datatype type;
  std::vector<std::vector<T>> values;  // by rank
  std::vector<std::unique_ptr<Rank>> ranks;
};

// The values of ranks 0 to `last`, combined from the last one down.
template <class T, class Combine>
std::vector<T> expected(const Job<T>& job, std::size_t start, std::size_t count, int last,
                        Combine combine) {
  std::vector<T> result;
  for (std::size_t i = start; i < start + count; ++i) {
    T value = job.values[static_cast<std::size_t>(last)][i];
    for (int rank = last - 1; rank >= 0; --rank) {
      value = combine(job.values[static_cast<std::size_t>(rank)][i], value);
    }
    result.push_back(value);
  }
  return result;
}

double sum(double left, double right) { return left + right; }
int twice_less(int left, int right) { return 2 * left - right; }

void twice_less_all(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) {
    int& to = static_cast<int*>(inout)[i];
    to = twice_less(static_cast<const int*>(in)[i], to);
  }
}

// Few fit into an entry; more need a slot.
constexpr int kFew = 3, kMore = 10, kMany = 1000;

TEST_CASE("all ranks get the same bits, combined from the last rank down") {
  for (const int count : {kFew, kMore, kMany}) {
    Job<double> job(count, MPI_DOUBLE);
    for (int last = 0; last < kRanks; ++last) {
      const auto all = static_cast<std::size_t>(count);
      const std::vector<double> wanted = expected(job, 0, all, last, sum);
      for (int rank = 0; rank < kRanks; ++rank) {
        CAPTURE(last);
        CAPTURE(rank);
        CHECK(job.folded(rank, 0, all, last, *find_op(MPI_SUM)) == wanted);
      }
    }
  }
}

TEST_CASE("an operation that does not commute gets the lower rank on its left") {
  MPI_Op op = MPI_OP_NULL;
  REQUIRE_FALSE(op::create(twice_less_all, 0, &op));
  for (const int count : {kFew, kMore, kMany}) {
    Job<int> job(count, MPI_INT);
    for (int last = 0; last < kRanks; ++last) {
      const auto all = static_cast<std::size_t>(count);
      CHECK(job.folded(1, 0, all, last, *find_op(op)) == expected(job, 0, all, last, twice_less));
    }
  }
  REQUIRE_FALSE(op::free(&op));
}

TEST_CASE("a part is folded alone, with values that were not published") {
  Job<double> job(kMany, MPI_DOUBLE);
  const std::vector<double> before = job.values[2];
  for (int last = 0; last < kRanks; ++last) {
    CAPTURE(last);
    const std::vector<double> wanted = expected(job, 7, 50, last, sum);
    CHECK(job.folded(2, 7, 50, last, *find_op(MPI_SUM)) == wanted);
    job.publish(2, std::vector<double>(kMany, 1e30));
    CHECK(job.folded(2, 7, 50, last, *find_op(MPI_SUM), before.data() + 7) == wanted);
    CHECK((job.folded(2, 7, 50, last, *find_op(MPI_SUM)) == wanted) == (last < 2));
    job.publish(2, before);
  }
}

TEST_CASE("of no ranks or no elements nothing is written") {
  Job<int> job(kFew, MPI_INT);
  CHECK(job.folded(0, 0, kFew, -1, *find_op(MPI_SUM)) == std::vector<int>(kFew, kNothing));
  CHECK(job.folded(0, 0, 0, kRanks - 1, *find_op(MPI_SUM)).empty());
}

}  // namespace
}  // namespace atl::coll::shared_memory
