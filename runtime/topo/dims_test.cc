#include "runtime/topo/dims.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace atl::topo {
namespace {

using Factors = std::vector<int>;

TEST_CASE("factors as close to each other as possible") {
  CHECK(balanced_factors(1, 1) == Factors{1});
  CHECK(balanced_factors(6, 2) == Factors{3, 2});
  CHECK(balanced_factors(7, 2) == Factors{7, 1});
  CHECK(balanced_factors(16, 2) == Factors{4, 4});
  CHECK(balanced_factors(16, 3) == Factors{4, 2, 2});
  CHECK(balanced_factors(24, 3) == Factors{4, 3, 2});
  CHECK(balanced_factors(36, 3) == Factors{4, 3, 3});
  CHECK(balanced_factors(48, 3) == Factors{4, 4, 3});
  CHECK(balanced_factors(60, 3) == Factors{5, 4, 3});
  CHECK(balanced_factors(1000, 3) == Factors{10, 10, 10});
  CHECK(balanced_factors(12, 5) == Factors{3, 2, 2, 1, 1});
  CHECK(balanced_factors(97, 4) == Factors{97, 1, 1, 1});
}

// All factorizations, by exhaustive search.
void all(int number, int count, int most, Factors& chosen, std::vector<Factors>& found) {
  if (count == 0) {
    if (number == 1) found.push_back(chosen);
    return;
  }
  for (int factor = std::min(number, most); factor >= 1; --factor) {
    if (number % factor != 0) continue;
    chosen.push_back(factor);
    all(number / factor, count - 1, factor, chosen, found);
    chosen.pop_back();
  }
}

TEST_CASE("no other factors are closer, for every number and count up to a bound") {
  for (int count = 1; count <= 5; ++count) {
    for (int number = 1; number <= 400; ++number) {
      Factors chosen;
      std::vector<Factors> found;
      all(number, count, number, chosen, found);
      const auto best = std::ranges::min(found, {}, [](const Factors& factors) {
        return std::pair(factors.front() - factors.back(), factors);
      });
      CAPTURE(number);
      CAPTURE(count);
      CHECK(balanced_factors(number, count) == best);
    }
  }
}

TEST_CASE("large numbers, including those with the most divisors, are quick") {
  for (const int number : {2147483647, 2095133040, 1 << 30, 46340 * 46340, 2147117569}) {
    for (const int count : {1, 2, 3, 4, 6, 10, 31, 100}) {
      const Factors factors = balanced_factors(number, count);
      CAPTURE(number);
      CAPTURE(count);
      REQUIRE(factors.size() == static_cast<std::size_t>(count));
      CHECK(std::ranges::is_sorted(factors, std::greater{}));
      CHECK(std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies{}) ==
            number);
    }
  }
  CHECK(balanced_factors(46340 * 46340, 2) == Factors{46340, 46340});
  CHECK(balanced_factors(2095133040, 2) == Factors{46189, 45360});
}

Factors filled(int nodes, Factors dims) {
  CHECK_FALSE(static_cast<bool>(dims_create(nodes, static_cast<int>(dims.size()), dims.data())));
  return dims;
}

TEST_CASE("dimensions that are set stay") {
  CHECK(filled(6, {0, 0}) == Factors{3, 2});
  CHECK(filled(6, {0, 3, 0}) == Factors{2, 3, 1});
  CHECK(filled(24, {0, 2, 0, 0}) == Factors{3, 2, 2, 2});
  CHECK(filled(8, {8}) == Factors{8});
  CHECK(filled(8, {2, 2}) == Factors{2, 2});  // a multiple is enough
  CHECK(filled(1, {}).empty());
  CHECK(filled(5, {}).empty());
}

TEST_CASE("dimensions that cannot be filled in") {
  const auto error = [](int nodes, Factors dims) {
    const Factors before = dims;
    const Error error = dims_create(nodes, static_cast<int>(dims.size()), dims.data());
    CHECK(dims == before);
    return error.error_class();
  };
  CHECK(error(7, {0, 3, 0}) == MPI_ERR_DIMS);
  CHECK(error(6, {0, -1}) == MPI_ERR_DIMS);
  CHECK(error(6, {12, 0}) == MPI_ERR_DIMS);
  CHECK(error(4, {65536, 65536, 65536, 65536, 0}) == MPI_ERR_DIMS);
  CHECK(error(0, {0}) == MPI_ERR_ARG);
  CHECK(dims_create(4, -1, nullptr).error_class() == MPI_ERR_DIMS);
}

}  // namespace
}  // namespace atl::topo
