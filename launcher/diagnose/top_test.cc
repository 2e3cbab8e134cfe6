#include "launcher/diagnose/top.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("numbers in short") {
  CHECK(in_short(0) == "0");
  CHECK(in_short(999) == "999");
  CHECK(in_short(1000) == "1.0k");
  CHECK(in_short(12345) == "12k");
  CHECK(in_short(999600) == "1.0M");
  CHECK(in_short(3.4e9) == "3.4G");
}

TEST_CASE("the table has rates, and a line for each rank") {
  Interval interval;
  interval.seconds = 2;
  interval.samples = 4;
  interval.samples_in_mpi = {3, 0};
  interval.before.resize(2);
  interval.after.resize(2);
  interval.before[0].activity.emplace();
  interval.after[0].pid = 71;
  interval.after[0].processor_seconds = 1;
  interval.after[0].activity = shm::Activity{nullptr, nullptr, 200, 40000, 7};
  interval.after[0].doing = "MPI_Recv from 1";
  CHECK(top_table(interval) ==
        "rank      pid   cpu   mpi   sent/s  bytes/s unexpected  in\n"
        "   0       71   50%   75%      100      20k          7  MPI_Recv from 1\n"
        "   1        -    0%    0%        -        -          -  -\n");
}

}  // namespace
}  // namespace atl::launcher
