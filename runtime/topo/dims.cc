#include "runtime/topo/dims.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <set>
#include <span>
#include <tuple>

namespace atl::topo {
namespace {

std::vector<int> divisors_of(int number) {
  std::vector<int> small, large;
  for (int i = 1; i <= number / i; ++i) {
    if (number % i != 0) continue;
    small.push_back(i);
    if (i != number / i) large.push_back(number / i);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

// base^exponent, or limit + 1 if that is greater than `limit`.
std::int64_t power(int base, int exponent, std::int64_t limit) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent && base > 1 && result <= limit; ++i) result *= base;
  return std::min(result, limit + 1);
}

// Finds factors between bounds; caches the combinations that are impossible.
class Search {
 public:
  explicit Search(int number) : divisors_(divisors_of(number)) {}

  const std::vector<int>& divisors() const { return divisors_; }

  // Appends `count` factors of `number`, each from `least` to `most`, in non-increasing order, each
  // as small as possible given those before it. False: there are none.
  bool append(int number, int count, int least, int most, std::vector<int>& factors) {
    if (count == 0) return number == 1;
    if (power(least, count, number) > number) return false;
    if (impossible_.contains({number, count, least, most})) return false;
    for (const int factor : divisors_) {
      if (factor > most) break;
      // The first factor is the largest: if it is too small, the others cannot reach `number`.
      if (factor < least || number % factor != 0 || power(factor, count, number) < number) continue;
      factors.push_back(factor);
      if (append(number / factor, count - 1, least, factor, factors)) return true;
      factors.pop_back();
    }
    impossible_.insert({number, count, least, most});
    return false;
  }

 private:
  std::vector<int> divisors_;
  std::set<std::tuple<int, int, int, int>> impossible_;  // number, count, least, most
};

Error check(int nnodes, int ndims, const int* dims) {
  if (ndims < 0) return make_error(MPI_ERR_DIMS, "ndims=%d is negative", ndims);
  if (nnodes < 1) return make_error(MPI_ERR_ARG, "nnodes=%d is not positive", nnodes);
  std::int64_t fixed = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 0) return make_error(MPI_ERR_DIMS, "dims[%d]=%d is negative", i, dims[i]);
    if (dims[i] > 0) fixed = std::min<std::int64_t>(fixed * dims[i], std::int64_t{nnodes} + 1);
  }
  if (nnodes % fixed == 0) return {};
  return make_error(MPI_ERR_DIMS,
                    "nnodes=%d is no multiple of the product of the dims that are set", nnodes);
}

}  // namespace

std::vector<int> balanced_factors(int number, int factors) {
  Search search(number);
  std::vector<int> best;
  int spread = std::numeric_limits<int>::max();
  for (const int most : search.divisors()) {
    if (power(most, factors, number) < number) continue;
    for (const int least : search.divisors() | std::views::reverse) {
      if (least > most || power(least, factors, number) > number) continue;
      if (most - least >= spread) break;
      std::vector<int> found;
      if (!search.append(number, factors, least, most, found)) continue;
      best = std::move(found);
      spread = most - least;
    }
  }
  return best;
}

Error dims_create(int nnodes, int ndims, int* dims) {
  if (Error error = check(nnodes, ndims, dims)) return error;
  const std::span all(dims, static_cast<std::size_t>(ndims));
  const auto open = static_cast<int>(std::ranges::count(all, 0));
  if (open == 0) return {};
  int rest = nnodes;
  for (const int extent : all) rest /= std::max(extent, 1);
  const std::vector<int> factors = balanced_factors(rest, open);
  auto next = factors.begin();
  for (int& extent : all) {
    if (extent == 0) extent = *next++;
  }
  return {};
}

}  // namespace atl::topo
