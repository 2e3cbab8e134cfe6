#include "launcher/hardware/allowed_cpus.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace atl::launcher {
namespace {

namespace fs = std::filesystem;

// A folder with synthetic control groups.
class Groups {
 public:
  Groups() {
    std::string pattern = (fs::temp_directory_path() / "groups.XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
  }
  ~Groups() { fs::remove_all(root_); }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  Groups& write(const std::string& file, const std::string& text) {
    const fs::path path = root_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return *this;
  }

  double quota() const {
    return read_quota((root_ / "self").string(), (root_ / "mount").string()).value_or(0);
  }

 private:
  fs::path root_;
};

TEST_CASE("cpu.max is a quota and a period") {
  CHECK(parse_cpu_max("200000 100000") == 2.0);
  CHECK(parse_cpu_max("50000 100000\n") == 0.5);
  CHECK_FALSE(parse_cpu_max("max 100000").has_value());
  CHECK_FALSE(parse_cpu_max("").has_value());
  CHECK_FALSE(parse_cpu_max("100000 0").has_value());
}

TEST_CASE("the smallest quota of the group and its ancestors counts") {
  Groups groups;
  groups.write("self", "0::/a/b\n").write("mount/a/b/cpu.max", "max 100000");
  CHECK(groups.quota() == 0);
  groups.write("mount/a/cpu.max", "300000 100000");
  CHECK(groups.quota() == 3);
  groups.write("mount/a/b/cpu.max", "150000 100000");
  CHECK(groups.quota() == 1.5);
  groups.write("mount/cpu.max", "100000 100000");
  CHECK(groups.quota() == 1);
}

TEST_CASE("control groups of the first version") {
  Groups groups;
  groups.write("self", "9:memory:/x\n4:cpuset:/x\n3:cpu,cpuacct:/docker/1\n")
      .write("mount/cpu/cpu.cfs_quota_us", "400000")
      .write("mount/cpu/cpu.cfs_period_us", "100000");
  CHECK(groups.quota() == 4);  // the path is the host's, only the root exists
  groups.write("mount/cpu/docker/1/cpu.cfs_quota_us", "-1")
      .write("mount/cpu/docker/1/cpu.cfs_period_us", "100000");
  CHECK(groups.quota() == 4);
}

TEST_CASE("no control groups, no quota") { CHECK(Groups().quota() == 0); }

TEST_CASE("this process may use at least one cpu") { CHECK(read_allowed_cpus().cpus.count() > 0); }

}  // namespace
}  // namespace atl::launcher
