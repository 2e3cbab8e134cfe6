// Bad arguments to the calls on groups.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

MPI_Group world = MPI_GROUP_NULL;

MPI_Group freed_group() {
  MPI_Group group = MPI_GROUP_NULL;
  const int rank = 0;
  MPI_Group_incl(world, 1, &rank, &group);
  const MPI_Group stale = group;
  MPI_Group_free(&group);
  return stale;
}

void bad_group(MPI_Group group) {
  Untouched<int> number;
  Untouched<MPI_Group> made;
  int rank = 0, there = 5;
  int range[1][3] = {{0, 0, 1}};
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_size(group, &number));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_rank(group, &number));
  EXPECT_ERROR(MPI_ERR_GROUP, "group1", "",
               MPI_Group_translate_ranks(group, 1, &rank, world, &there));
  EXPECT_ERROR(MPI_ERR_GROUP, "group2", "",
               MPI_Group_translate_ranks(world, 1, &rank, group, &there));
  CHECK_EQ(there, 5);
  EXPECT_ERROR(MPI_ERR_GROUP, "group1", "", MPI_Group_compare(group, world, &number));
  EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_compare(world, group, &number));
  EXPECT_ERROR(MPI_ERR_GROUP, "group1", "", MPI_Group_union(group, world, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_union(world, group, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group1", "", MPI_Group_intersection(group, world, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_intersection(world, group, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group1", "", MPI_Group_difference(group, world, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_difference(world, group, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_incl(group, 1, &rank, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_excl(group, 1, &rank, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_range_incl(group, 1, range, &made));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_range_excl(group, 1, range, &made));
  const MPI_Group before = group;
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Group_free(&group));
  CHECK(group == before);
}

void bad_ranks() {
  Untouched<MPI_Group> made;
  for (int bad : {-1, check::size, check::size + 7, 2147483647, MPI_PROC_NULL}) {
    const int ranks[] = {0, bad};
    const std::string value = std::to_string(bad);
    EXPECT_ERROR(MPI_ERR_RANK, "ranks[1]", value, MPI_Group_incl(world, 2, ranks, &made));
    EXPECT_ERROR(MPI_ERR_RANK, "ranks[1]", value, MPI_Group_excl(world, 2, ranks, &made));
    if (bad == MPI_PROC_NULL) continue;
    int there[] = {5, 5};
    EXPECT_ERROR(MPI_ERR_RANK, "ranks1[1]", value,
                 MPI_Group_translate_ranks(world, 2, ranks, world, there));
    CHECK_EQ(there[0], 5);
  }
  const int twice[] = {check::size - 1, check::size - 1};
  const std::string value = std::to_string(check::size - 1);
  EXPECT_ERROR(MPI_ERR_RANK, "ranks[1]", value, MPI_Group_incl(world, 2, twice, &made));
  EXPECT_ERROR(MPI_ERR_RANK, "ranks[1]", value, MPI_Group_excl(world, 2, twice, &made));
}

// `error_class` is Atoll's: not all libraries have the same.
void bad_range(int error_class, std::vector<int> numbers, const std::string& argument,
               const std::string& value) {
  Untouched<MPI_Group> made;
  const int n = int(numbers.size()) / 3;
  auto* ranges = reinterpret_cast<int(*)[3]>(numbers.data());
  if (!check::on_atoll()) return;
  EXPECT_ERROR(error_class, argument, value, MPI_Group_range_incl(world, n, ranges, &made));
  EXPECT_ERROR(error_class, argument, value, MPI_Group_range_excl(world, n, ranges, &made));
}

void bad_ranges() {
  const int last = check::size - 1;
  const std::string first_bad = std::to_string(check::size);
  bad_range(MPI_ERR_ARG, {0, last, 0}, "ranges[0]", "0");
  bad_range(MPI_ERR_ARG, {0, 0, 1, 0, last, 0}, "ranges[1]", "0");
  bad_range(MPI_ERR_ARG, {1, 0, 1}, "ranges[0]", "1");
  bad_range(MPI_ERR_ARG, {0, 1, -1}, "ranges[0]", "-1");
  bad_range(MPI_ERR_RANK, {0, check::size, 1}, "ranges[0]", first_bad);
  bad_range(MPI_ERR_RANK, {check::size, check::size, 1}, "ranges[0]", first_bad);
  bad_range(MPI_ERR_RANK, {-1, 0, 1}, "ranges[0]", "-1");
  bad_range(MPI_ERR_RANK, {2147483647, -2147483647, -1}, "ranges[0]", "2147483647");
  bad_range(MPI_ERR_RANK, {0, last, 1, 0, 0, 1}, "ranges[1]", "0");
}

void missing_addresses() {
  Untouched<MPI_Group> made;
  Untouched<int> number;
  const int ranks[] = {0};
  EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Group_size(world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "rank", "", MPI_Group_rank(world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "result", "", MPI_Group_compare(world, world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newgroup", "", MPI_Group_union(world, world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newgroup", "", MPI_Group_intersection(world, world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newgroup", "", MPI_Group_difference(world, world, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newgroup", "", MPI_Group_incl(world, 1, ranks, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "ranks", "", MPI_Group_incl(world, 1, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "ranks", "", MPI_Group_excl(world, 1, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "ranges", "", MPI_Group_range_incl(world, 1, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "ranges", "", MPI_Group_range_excl(world, 1, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "group", "", MPI_Group_free(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "group", "", MPI_Comm_group(MPI_COMM_WORLD, nullptr));
  if (check::on_atoll()) {
    EXPECT_ERROR(MPI_ERR_COUNT, "n", "-1", MPI_Group_incl(world, -1, ranks, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "n", "-1", MPI_Group_excl(world, -1, ranks, &made));
  }
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_group(MPI_COMM_NULL, &made));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  bad_group(MPI_GROUP_NULL);
  if (check::on_atoll()) {
    bad_group(freed_group());
    bad_group(errors::garbage<MPI_Group>());
  }
  bad_ranks();
  bad_ranges();
  missing_addresses();
  MPI_Group_free(&world);
  errors::check_all_is_well();
  return check::finish();
}
