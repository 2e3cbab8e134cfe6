// Machines that hwloc makes up for tests, and that mpiexec reads from a file.
#pragma once

#include <initializer_list>
#include <string>

#include "launcher/hardware/topology.h"

struct hwloc_topology;

namespace atl::launcher::testing {

// A value of a variable of the environment, or none, as long as this lives.
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

  // The processing units from `first` to `last` are of a kind; a higher efficiency is faster.
  SyntheticMachine& set_kind(int first, int last, int efficiency);

  // What mpiexec would read if it ran there.
  Topology topology() const;

  // A file with the machine in hwloc's XML format.
  const std::string& file() const;

 private:
  hwloc_topology* topology_ = nullptr;
  CpuSet allowed_;
  std::string file_;
};

}  // namespace atl::launcher::testing
