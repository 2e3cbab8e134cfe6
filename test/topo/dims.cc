// MPI_Dims_create (8.5.2): the examples of the standard, and properties.
#include <numeric>
#include <vector>

#include "test/check.h"

namespace {

using Dims = std::vector<int>;

Dims create(int nodes, Dims dims) {
  check::set_case("%d nodes in %zu dimensions", nodes, dims.size());
  CHECK_EQ(MPI_Dims_create(nodes, int(dims.size()), dims.data()), MPI_SUCCESS);
  return dims;
}

void properties(int nodes, int count) {
  const Dims dims = create(nodes, Dims(std::size_t(count), 0));
  CHECK_EQ(std::accumulate(dims.begin(), dims.end(), 1LL, std::multiplies{}), (long long)nodes);
  for (std::size_t i = 1; i < dims.size(); ++i) CHECK(dims[i] <= dims[i - 1]);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  // Example 8.1 of MPI 5.0.
  CHECK(create(6, {0, 0}) == (Dims{3, 2}));
  CHECK(create(7, {0, 0}) == (Dims{7, 1}));
  CHECK(create(6, {0, 3, 0}) == (Dims{2, 3, 1}));
  CHECK(create(12, {0, 0, 3}) == (Dims{2, 2, 3}));
  CHECK(create(5, {5}) == (Dims{5}));
  for (int nodes = 1; nodes <= 300; ++nodes) {
    for (int count = 1; count <= 6; ++count) properties(nodes, count);
  }
  if (check::on_atoll()) {
    CHECK(create(16 * 9, {0, 0}) == (Dims{12, 12}));
    CHECK(create(60, {0, 0, 0}) == (Dims{5, 4, 3}));
    for (int nodes : {1 << 20, 1000000, 2147483647, 2095133040}) properties(nodes, 4);
  }
  return check::finish();
}
