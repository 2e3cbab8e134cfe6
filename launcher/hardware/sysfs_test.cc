#include "launcher/hardware/sysfs.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

std::string cpus_of(std::string_view mask) {
  const auto set = parse_cpu_mask(mask);
  return set ? set->to_string() : "none";
}

TEST_CASE("masks are read from their end") {
  CHECK(cpus_of("3") == "0-1");
  CHECK(cpus_of("f0") == "4-7");
  CHECK(cpus_of("00000001,80000000") == "31-32");
  CHECK(cpus_of("8000,00000000,00000000") == "79");
  CHECK(cpus_of("0") == "");
}

TEST_CASE("what is no mask is none") { CHECK(cpus_of("0x3") == "none"); }

TEST_CASE("a file that is not there has no line") {
  CHECK_FALSE(read_line("/nonexistent"));
  CHECK_FALSE(read_number("/nonexistent"));
  CHECK_FALSE(read_cpu_list("/nonexistent"));
  CHECK_FALSE(read_cpu_mask("/nonexistent"));
}

TEST_CASE("the first line of a file, and numbers only where there is one") {
  CHECK(read_line("/proc/sys/kernel/ostype") == "Linux");
  CHECK_FALSE(read_number("/proc/sys/kernel/ostype"));
  CHECK(read_number("/proc/sys/kernel/pid_max").value_or(0) > 1);
}

}  // namespace
}  // namespace atl::launcher
