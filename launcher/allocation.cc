#include "launcher/allocation.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/topology.h"
#include "launcher/placement/binding_report.h"

namespace atl::launcher {
namespace {

// ATOLL_LEASES: off, or a folder instead of the kernel's.
Leases leases_from_environment() {
  const char* setting = std::getenv("ATOLL_LEASES");
  if (setting == nullptr) return Leases(Leases::kSystem);
  return Leases(std::string(setting) == "off" ? "" : setting);
}

// The threads of a rank as OpenMP reads it: of "4,2" those of the outer level.
int threads_of_a_rank(const Plan& plan) {
  constexpr const char* kName = "OMP_NUM_THREADS";
  const char* inherited = std::getenv(kName);
  int threads = inherited != nullptr ? std::atoi(inherited) : 1;
  const auto look_in = [&](const Variables& variables) {
    for (const auto& [name, value] : variables) {
      if (name == kName) threads = std::atoi(value.c_str());
    }
  };
  look_in(plan.environment);
  for (const Part& part : plan.parts) look_in(part.environment);
  return std::max(threads, 1);
}

// ATOLL_DEVICES: a folder instead of the kernel's.
Topology topology_of(const CpuSet& allowed) {
  const char* setting = std::getenv("ATOLL_DEVICES");
  return read_topology(allowed, setting != nullptr ? setting : kDevices);
}

// The cores that are entirely in `free`.
Topology only(Topology topology, const CpuSet& free) {
  std::erase_if(topology, [&](const Core& core) {
    return std::any_of(core.cpus.begin(), core.cpus.end(),
                       [&](int cpu) { return !free.contains(cpu); });
  });
  return topology;
}

CpuSet cpus_of(const std::vector<RankPlace>& places) {
  CpuSet all;
  for (const RankPlace& place : places) {
    for (const int cpu : place.cpus.cpus()) all.add(cpu);
  }
  return all;
}

// Nobody has said where ranks go, all of the machine seems to be ours, and the
// leases of others cannot be seen: in a container.
bool others_may_be_anywhere(const PlacementOptions& options, const AllowedCpus& allowed) {
  const bool narrowed = allowed.cpus.count() < ::sysconf(_SC_NPROCESSORS_ONLN);
  return options == PlacementOptions{} && !narrowed && !leases_cover_the_node();
}

// A rank's item of --bind-to list may name only what the job may use.
std::optional<StartFailure> forbidden_in_list(const PlacementOptions& options, int ranks,
                                              const CpuSet& allowed) {
  if (options.bind != BindTo::list) return std::nullopt;
  const std::size_t used = std::min(options.list.size(), static_cast<std::size_t>(ranks));
  for (std::size_t item = 0; item < used; ++item) {
    for (const int cpu : options.list[item]) {
      if (allowed.contains(cpu)) continue;
      return StartFailure{
          fmt::format("--bind-to list: rank {} cannot have processing unit {}: the job may use {}",
                      item, cpu, allowed.to_string())};
    }
  }
  return std::nullopt;
}

// Ranks on cores of their own get free ones; who names a place gets it.
void bind_ranks(const Topology& topology, const Plan& plan, const Limits& limits,
                const CpuSet& allowed, Allocation& allocation) {
  const auto ranks = static_cast<int>(plan.ranks());
  const CpuSet free = allocation.leases.take(allowed);
  allocation.places = place_ranks(wants_own_cores(plan.placement) ? only(topology, free) : topology,
                                  plan.placement, ranks, limits);
  allocation.leases.keep(cpus_of(allocation.places));
  if (!plan.report_bindings) return;
  CpuSet taken;
  for (const int cpu : allowed.cpus()) {
    if (!free.contains(cpu)) taken.add(cpu);
  }
  ::dprintf(STDERR_FILENO, "%s", report(topology, taken, allocation.places).c_str());
}

}  // namespace

std::variant<Allocation, StartFailure> allocate_cpus(Plan& plan) {
  const AllowedCpus allowed = read_allowed_cpus();
  PlacementOptions& options = plan.placement;
  Allocation allocation;
  allocation.cpus = allowed.cpus.count();
  Topology topology;
  const bool counts_objects = options.ranks_per_object > 0 && !plan.counted;
  const bool needs_topology = plan.report_bindings || counts_objects ||
                              placement_needs_topology(options, static_cast<int>(plan.ranks()),
                                                       allocation.cpus, allowed.quota);
  if (needs_topology) topology = topology_of(allowed.cpus);
  if (counts_objects) {
    plan.parts[0].ranks = plan.parts[0].most_ranks = ranks_on_all_objects(topology, options);
  }
  const auto ranks = static_cast<int>(plan.ranks());
  if (auto failure = forbidden_in_list(options, ranks, allowed.cpus)) return *failure;
  const int cores = needs_topology ? static_cast<int>(topology.size()) : allocation.cpus;
  allocation.shared_cores = cores_are_shared(cores, ranks, allowed.quota);
  allocation.places.resize(static_cast<std::size_t>(ranks));
  if (!needs_topology) return allocation;
  if (others_may_be_anywhere(options, allowed)) options.bind = BindTo::none;
  if (options.bind != BindTo::none) allocation.leases = leases_from_environment();
  bind_ranks(topology, plan, {allowed.quota, threads_of_a_rank(plan)}, allowed.cpus, allocation);
  return allocation;
}

}  // namespace atl::launcher
