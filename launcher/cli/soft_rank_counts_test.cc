#include "launcher/cli/soft_rank_counts.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

// 0 when nothing is allowed, -1 when `soft` cannot be read.
int largest(const char* soft, int most) {
  const auto triplets = parse_soft_counts(soft);
  return triplets ? largest_of(*triplets, most).value_or(0) : -1;
}

TEST_CASE("the largest number allowed, up to the number asked for") {
  const struct {
    const char* soft;
    int most;
    int expected;
  } rows[] = {
      {"3", 8, 3},
      {"3", 3, 3},
      {"3", 2, 0},
      {"2:8", 8, 8},
      {"2:8", 5, 5},
      {"2:8", 9, 8},
      {"2:8:2", 7, 6},
      {"1:8:3", 8, 7},
      {"8:2", 9, 0},
      {"8:1:-3", 9, 8},
      {"8:1:-3", 7, 5},
      {"8:1:-3", 1, 0},
      {"8:3:-3", 4, 0},
      {"2:8:-1", 8, 0},
      {"1,4,16", 8, 4},
      {"16,4,1", 8, 4},
      {"-4:4:2", 3, 2},
      {"-8:-2", 3, 0},
      {"0", 3, 0},
      {"0:0:5", 3, 0},
      {"1:2147483647", 9, 9},
      {"-2147483648:2147483647:2", 9, 8},
  };
  for (const auto& row : rows) {
    CAPTURE(row.soft);
    CAPTURE(row.most);
    CHECK(largest(row.soft, row.most) == row.expected);
  }
}

TEST_CASE("what is no list of triplets") {
  for (const char* soft :
       {"", ",", "1,", "a", "1:", "1:2:", "1:2:0", "1:2:3:4", "1 2", "+1", "99999999999"}) {
    CAPTURE(soft);
    CHECK(largest(soft, 4) == -1);
  }
}

}  // namespace
}  // namespace atl::launcher
