// MPI_Group_range_incl and MPI_Group_range_excl against MPI_Group_incl and
// MPI_Group_excl with the ranks written out.
#include <algorithm>
#include <array>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using Ranges = std::vector<std::array<int, 3>>;

MPI_Group world = MPI_GROUP_NULL;

// The definition of 7.3.2.
std::vector<int> written_out(const Ranges& ranges) {
  std::vector<int> ranks;
  for (const auto& [first, last, stride] : ranges) {
    for (int i = 0; i <= (last - first) / stride; ++i) ranks.push_back(first + i * stride);
  }
  return ranks;
}

int (*pointer(Ranges& ranges))[3] { return reinterpret_cast<int(*)[3]>(ranges.data()); }

void check_same(MPI_Group one, MPI_Group other) {
  int result = -1;
  MPI_Group_compare(one, other, &result);
  CHECK_EQ(result, MPI_IDENT);
  MPI_Group_free(&one);
  MPI_Group_free(&other);
}

void check_ranges(Ranges ranges) {
  const std::vector<int> ranks = written_out(ranges);
  const int count = int(ranges.size()), n = int(ranks.size());
  MPI_Group by_range, by_rank;
  MPI_Group_range_incl(world, count, pointer(ranges), &by_range);
  MPI_Group_incl(world, n, ranks.data(), &by_rank);
  check_same(by_range, by_rank);
  MPI_Group_range_excl(world, count, pointer(ranges), &by_range);
  MPI_Group_excl(world, n, ranks.data(), &by_rank);
  check_same(by_range, by_rank);
}

void chosen() {
  const int last = check::size - 1;
  check::set_case("ranges chosen by hand");
  check_ranges({});
  check_ranges({{0, last, 1}});
  check_ranges({{last, 0, -1}});
  check_ranges({{0, last, 2}});
  check_ranges({{last, 0, -3}});
  check_ranges({{0, 0, 5}});
  check_ranges({{last, last, -5}});
  check_ranges({{0, last, 2147483647}});
  if (last > 0) check_ranges({{1, last, 2}, {0, last, 2}});
  if (last > 0) check_ranges({{last, last, 1}, {0, last - 1, 1}});
}

// Two classes of ranks modulo a stride never meet.
void at_random() {
  check::Random random(7 * check::size);
  for (int i = 0; i < 300; ++i) {
    check::set_case("random ranges %d", i);
    Ranges ranges;
    const int stride = 1 + int(random.below(5));
    for (int remainder = 0; remainder < stride && remainder < check::size; ++remainder) {
      if (random.one_in(3)) continue;
      const int steps = (check::size - 1 - remainder) / stride;
      int first = remainder + stride * int(random.below(steps + 1));
      int last = remainder + stride * int(random.below(steps + 1));
      ranges.push_back({first, last, last < first ? -stride : stride});
    }
    check_ranges(ranges);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  chosen();
  at_random();
  MPI_Group_free(&world);
  return check::finish();
}
