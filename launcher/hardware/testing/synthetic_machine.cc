#include "launcher/hardware/testing/synthetic_machine.h"

#include <doctest/doctest.h>
#include <hwloc.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <variant>

namespace atl::launcher::testing {

Setting::Setting(const char* name, const char* value)
    : name_(name), was_set_(::getenv(name) != nullptr) {
  if (was_set_) before_ = ::getenv(name);
  if (value != nullptr) {
    ::setenv(name, value, 1);
  } else {
    ::unsetenv(name);
  }
}

Setting::~Setting() {
  if (was_set_) {
    ::setenv(name_, before_.c_str(), 1);
  } else {
    ::unsetenv(name_);
  }
}

SyntheticMachine::SyntheticMachine(const char* description) {
  const Setting no_plugins("HWLOC_PLUGINS_PATH", "");
  hwloc_topology_init(&topology_);
  REQUIRE(hwloc_topology_set_synthetic(topology_, description) == 0);
  REQUIRE(hwloc_topology_load(topology_) == 0);
  const int cpus = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PU);
  for (int cpu = 0; cpu < cpus; ++cpu) allowed_.add(cpu);
  file_ = (std::filesystem::temp_directory_path() / "machine.XXXXXX").string();
  const int made = ::mkstemp(file_.data());
  REQUIRE(made >= 0);
  ::close(made);
  REQUIRE(hwloc_topology_export_xml(topology_, file_.c_str(), 0) == 0);
}

SyntheticMachine::~SyntheticMachine() {
  hwloc_topology_destroy(topology_);
  std::filesystem::remove(file_);
}

SyntheticMachine& SyntheticMachine::allow_only(std::initializer_list<int> cpus) {
  allowed_ = CpuSet{};
  for (const int cpu : cpus) allowed_.add(cpu);
  return *this;
}

SyntheticMachine& SyntheticMachine::set_kind(int first, int last, int efficiency) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  hwloc_bitmap_set_range(set, static_cast<unsigned>(first), last);
  REQUIRE(hwloc_cpukinds_register(topology_, set, efficiency, 0, nullptr, 0) == 0);
  hwloc_bitmap_free(set);
  REQUIRE(hwloc_topology_export_xml(topology_, file_.c_str(), 0) == 0);
  return *this;
}

Topology SyntheticMachine::topology() const {
  const Setting here("HWLOC_THISSYSTEM", "1");
  auto read = read_machine(file_, allowed_);
  const auto* machine = std::get_if<Machine>(&read);
  REQUIRE_MESSAGE(machine != nullptr, *std::get_if<std::string>(&read));
  return machine->cores;
}

const std::string& SyntheticMachine::file() const { return file_; }

}  // namespace atl::launcher::testing
