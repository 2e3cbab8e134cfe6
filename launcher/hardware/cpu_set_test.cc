#include "launcher/hardware/cpu_set.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("a set of processing units reads as ranges, up to the last that exists") {
  CpuSet set;
  CHECK(set.empty());
  for (const int cpu : {0, 1, 63, 64, CpuSet::kLimit - 1}) set.add(cpu);
  set.add(CpuSet::kLimit);
  set.add(-1);
  CHECK(set.count() == 5);
  CHECK(set.to_string() == "0-1,63-64,8191");
}

}  // namespace
}  // namespace atl::launcher
