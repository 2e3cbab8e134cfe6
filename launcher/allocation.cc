#include "launcher/allocation.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/topology.h"
#include "launcher/placement/binding_report.h"

namespace atl::launcher {
namespace {

// ATOLL_LEASES: off, or a folder to use instead of the kernel's.
Leases leases_from_environment() {
  const char* setting = std::getenv("ATOLL_LEASES");
  if (setting == nullptr) return Leases(Leases::kSystem);
  return Leases(std::string(setting) == "off" ? "" : setting);
}

// The threads of a rank as OpenMP reads OMP_NUM_THREADS: in "4,2" the outer level, 4.
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

// No option requests a placement, the job may use the whole machine, and the leases of
// other jobs cannot be seen: in a container.
bool others_may_be_anywhere(const PlacementOptions& options, const AllowedCpus& allowed) {
  const bool narrowed = allowed.cpus.count() < ::sysconf(_SC_NPROCESSORS_ONLN);
  return options == PlacementOptions{} && !narrowed && !leases_cover_the_node();
}

// An item of --bind-to list may name only processing units that the job may use.
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

bool counts_objects(const Plan& plan) {
  return plan.placement.ranks_per_object > 0 && !plan.counted;
}

bool needs_topology(const Plan& plan, const AllowedCpus& allowed) {
  return plan.report_bindings || plan.dry_run || counts_objects(plan) ||
         names_topology(plan.topology) ||
         placement_needs_topology(plan.placement, static_cast<int>(plan.ranks()),
                                  allowed.cpus.count(), allowed.quota);
}

// The resources that the job may use: of this machine, or in a dry run of the named one.
struct Site {
  AllowedCpus allowed;
  std::optional<Machine> machine{};  // nothing: placement does not depend on it

  int cores() const {
    const bool known = machine && !machine->cores.empty();
    return known ? static_cast<int>(machine->cores.size()) : allowed.cpus.count();
  }
};

std::variant<Site, StartFailure> find_site(const Plan& plan) {
  Site site{.allowed = read_allowed_cpus()};
  if (!needs_topology(plan, site.allowed)) return site;
  auto read = read_machine(plan.topology, site.allowed.cpus);
  if (auto* why = std::get_if<std::string>(&read)) return StartFailure{*why};
  site.machine = std::move(std::get<Machine>(read));
  if (site.machine->here()) return site;
  if (!plan.dry_run) {
    return StartFailure{fmt::format(
        "{} names a machine that is not this one: with --dry-run mpiexec shows where ranks would "
        "be placed there, but they cannot be started (HWLOC_THISSYSTEM=1 says that it is this one)",
        site.machine->named)};
  }
  site.allowed = {.cpus = site.machine->allowed};
  return site;
}

// Ranks with cores of their own get free cores; places that the user names are used
// regardless of leases.
void bind_ranks(const Site& site, const Plan& plan, Allocation& allocation) {
  const Topology& topology = site.machine->cores;
  const auto ranks = static_cast<int>(plan.ranks());
  const CpuSet free = allocation.leases.take(site.allowed.cpus);
  allocation.places =
      place_ranks(wants_own_cores(plan.placement) ? only(topology, free) : topology, plan.placement,
                  ranks, {site.allowed.quota, threads_of_a_rank(plan)});
  allocation.leases.keep(cpus_of(allocation.places));
  if (!plan.report_bindings && !plan.dry_run) return;
  CpuSet taken;
  for (const int cpu : site.allowed.cpus.cpus()) {
    if (!free.contains(cpu)) taken.add(cpu);
  }
  ::dprintf(plan.dry_run ? STDOUT_FILENO : STDERR_FILENO, "%s",
            report(topology, taken, allocation.places).c_str());
}

}  // namespace

std::variant<Allocation, StartFailure> allocate_cpus(Plan& plan) {
  const auto found = find_site(plan);
  if (auto* failure = std::get_if<StartFailure>(&found)) return *failure;
  const Site& site = std::get<Site>(found);
  PlacementOptions& options = plan.placement;
  if (counts_objects(plan)) {
    plan.parts[0].ranks = plan.parts[0].most_ranks =
        ranks_on_all_objects(site.machine->cores, options);
  }
  const auto ranks = static_cast<int>(plan.ranks());
  if (auto failure = forbidden_in_list(options, ranks, site.allowed.cpus)) return *failure;
  Allocation allocation;
  allocation.cpus = site.allowed.cpus.count();
  allocation.shared_cores = cores_are_shared(site.cores(), ranks, site.allowed.quota);
  allocation.places.resize(static_cast<std::size_t>(ranks));
  if (!site.machine) return allocation;
  const bool here = site.machine->here();
  if (here && others_may_be_anywhere(options, site.allowed)) options.bind = BindTo::none;
  if (here && options.bind != BindTo::none) allocation.leases = leases_from_environment();
  bind_ranks(site, plan, allocation);
  return allocation;
}

}  // namespace atl::launcher
