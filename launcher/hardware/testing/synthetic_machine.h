// Synthetic machines of hwloc for tests, which mpiexec can read from a file.
#pragma once

#include <initializer_list>
#include <string>

#include "launcher/hardware/topology.h"

struct hwloc_topology;

namespace atl::launcher::testing {

// Sets an environment variable, or unsets it, until the destructor restores it.
class Setting {
 public:
  Setting(const char* name, const char* value);
  ~Setting();
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_;
};

class SyntheticMachine {
 public:
  explicit SyntheticMachine(const char* description);
  ~SyntheticMachine();
  SyntheticMachine(const SyntheticMachine&) = delete;
  SyntheticMachine& operator=(const SyntheticMachine&) = delete;

  // The job may use only these processing units; without this call, all.
  SyntheticMachine& allow_only(std::initializer_list<int> cpus);

  // Makes the processing units from `first` to `last` one kind; a higher efficiency is faster.
  SyntheticMachine& set_kind(int first, int last, int efficiency);

  // The topology that mpiexec would read on that machine.
  Topology topology() const;

  // A file with the machine in hwloc's XML format.
  const std::string& file() const;

 private:
  hwloc_topology* topology_ = nullptr;
  CpuSet allowed_;
  std::string file_;
};

}  // namespace atl::launcher::testing
