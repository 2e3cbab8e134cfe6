#include "launcher/hardware/topology.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "launcher/hardware/sysfs.h"

namespace atl::launcher {
namespace {

// The sets of processing units that share something, each known from the first of
// its members that was asked for.
class Sets {
 public:
  // The number of the set that all of `cpus` are in; -1: there is none. `read(cpu)` gives
  // the members of that of `cpu`.
  template <class Read>
  int number_of(const std::vector<int>& cpus, Read read) {
    if (known(cpus.front()) < 0) {
      const std::optional<CpuSet> members = read(cpus.front());
      if (members && members->contains(cpus.front())) add(*members);
    }
    const int number = known(cpus.front());
    const bool all =
        std::all_of(cpus.begin(), cpus.end(), [&](int cpu) { return known(cpu) == number; });
    return all ? number : -1;
  }

 private:
  int known(int cpu) const {
    const auto at = static_cast<std::size_t>(cpu);
    return at < numbers_.size() ? numbers_[at] : -1;
  }
  void add(const CpuSet& members) {
    for (const int member : members.cpus()) {
      const auto at = static_cast<std::size_t>(member);
      if (at >= numbers_.size()) numbers_.resize(at + 1, -1);
      numbers_[at] = count_;
    }
    ++count_;
  }

  std::vector<int> numbers_;  // by processing unit
  int count_ = 0;
};

// What is in a folder cache/indexN.
struct CacheKind {
  int level = 0;
  bool instructions = false;  // and no data
};

using Index = std::int32_t shm::Location::*;

Index index_of_level(int level) {
  switch (level) {
    case 1: return &shm::Location::l1cache;
    case 2: return &shm::Location::l2cache;
    case 3: return &shm::Location::l3cache;
    case 4: return &shm::Location::l4cache;
    case 5: return &shm::Location::l5cache;
    default: return nullptr;
  }
}

// How fast cores are, in no unit: to be compared.
class Speeds {
 public:
  explicit Speeds(const std::string& devices)
      : devices_(devices), economical_(read_cpu_list(devices + "/cpu_atom/cpus")) {}

  int of(int cpu) {
    if (economical_) return economical_->contains(cpu) ? 1 : 2;
    for (; source_ < std::size(kSources); ++source_) {
      const auto speed =
          read_number(fmt::format("{}/system/cpu/cpu{}/{}", devices_, cpu, kSources[source_]));
      if (speed) return *speed;
    }
    return 0;
  }

 private:
  // Where one is missing, it is for all.
  static constexpr const char* kSources[] = {"cpu_capacity", "cpufreq/cpuinfo_max_freq"};

  const std::string& devices_;
  std::optional<CpuSet> economical_;  // on hybrid chips of Intel
  std::size_t source_ = 0;
};

class Reader {
 public:
  Reader(const CpuSet& allowed, const std::string& devices)
      : allowed_(allowed), devices_(devices), speeds_(devices) {}

  Topology read() {
    Topology topology;
    for (const int cpu : allowed_.cpus()) {
      if (read_.contains(cpu)) continue;
      topology.push_back(read_core(cpu));
      for (const int thread : topology.back().cpus) read_.add(thread);
    }
    return topology;
  }

 private:
  std::string folder_of(int cpu) const {
    return fmt::format("{}/system/cpu/cpu{}/", devices_, cpu);
  }

  // `name` is what newer kernels call it.
  std::optional<CpuSet> siblings(int cpu, const char* name, const char* old_name) const {
    const std::string folder = folder_of(cpu) + "topology/";
    auto set = read_cpu_mask(folder + name);
    return set || old_name == nullptr ? set : read_cpu_mask(folder + old_name);
  }

  Core read_core(int cpu) {
    Core core;
    const auto threads = siblings(cpu, "core_cpus", "thread_siblings");
    for (const int thread : threads ? threads->cpus() : std::vector{cpu}) {
      if (allowed_.contains(thread)) core.cpus.push_back(thread);
    }
    if (!threads) return core;
    core.speed = speeds_.of(cpu);
    core.at.package = packages_.number_of(
        core.cpus, [&](int one) { return siblings(one, "package_cpus", "core_siblings"); });
    core.at.die =
        dies_.number_of(core.cpus, [&](int one) { return siblings(one, "die_cpus", nullptr); });
    core.at.group = groups_.number_of(
        core.cpus, [&](int one) { return siblings(one, "cluster_cpus", nullptr); });
    core.at.numa = memories_.number_of(core.cpus, [&](int one) { return memory_of(one); });
    read_caches(core);
    return core;
  }

  // The processing units next to the same memory.
  std::optional<CpuSet> memory_of(int cpu) {
    const std::string folder = devices_ + "/system/node/";
    if (!nodes_) nodes_ = read_cpu_list(folder + "online").value_or(CpuSet{}).cpus();
    while (next_node_ < nodes_->size()) {
      auto set = read_cpu_mask(fmt::format("{}node{}/cpumap", folder, (*nodes_)[next_node_++]));
      if (set && set->contains(cpu)) return set;
    }
    return std::nullopt;
  }

  void read_caches(Core& core) {
    for (int index = 0;; ++index) {
      const std::string folder = fmt::format("cache/index{}/", index);
      const CacheKind* kind = kind_of_cache(core, index, folder_of(core.cpus.front()) + folder);
      if (kind == nullptr) return;
      const Index member = index_of_level(kind->level);
      if (kind->instructions || member == nullptr) continue;
      core.at.*member = caches_[kind->level].number_of(core.cpus, [&](int cpu) {
        return read_cpu_mask(folder_of(cpu) + folder + "shared_cpu_map");
      });
    }
  }

  // The cores of a package that are equally fast have the same kinds. Null: none.
  const CacheKind* kind_of_cache(const Core& core, int index, const std::string& folder) {
    const std::tuple key(core.at.package, core.speed, index);
    const auto known = cache_kinds_.find(key);
    if (known != cache_kinds_.end()) return &known->second;
    const auto level = read_number(folder + "level");
    const auto type = level ? read_line(folder + "type") : std::nullopt;
    if (!type) return nullptr;
    return &(cache_kinds_[key] = {*level, *type == "Instruction"});
  }

  const CpuSet& allowed_;
  const std::string& devices_;
  Speeds speeds_;
  CpuSet read_;
  Sets packages_, dies_, groups_, memories_;
  std::map<int, Sets> caches_;                                  // by level
  std::map<std::tuple<int, int, int>, CacheKind> cache_kinds_;  // package, speed, index
  std::optional<std::vector<int>> nodes_;
  std::size_t next_node_ = 0;
};

// Whether `kind` has the same members as `other` at this core.
bool same_set(const Topology& topology, const Core& core, Index kind, Index other) {
  return core.at.*other >= 0 && std::all_of(topology.begin(), topology.end(), [&](const Core& one) {
           return (one.at.*kind == core.at.*kind) == (one.at.*other == core.at.*other);
         });
}

// Like hwloc: where the system names no groups, memories group cores. A die that is the
// package, and a group that is anything else, is none.
void leave_out_what_says_nothing_new(Topology& topology) {
  for (Core& core : topology) {
    if (core.at.group < 0) core.at.group = core.at.numa;
  }
  const auto leave_out = [&](Index kind, std::initializer_list<Index> others) {
    const Topology before = topology;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (std::any_of(others.begin(), others.end(),
                      [&](Index other) { return same_set(before, before[i], kind, other); })) {
        topology[i].at.*kind = -1;
      }
    }
  };
  using shm::Location;
  leave_out(&Location::die, {&Location::package, &Location::core});
  leave_out(&Location::group,
            {&Location::machine, &Location::package, &Location::die, &Location::l3cache,
             &Location::l2cache, &Location::l1cache, &Location::core});
}

// Numbers in the order of appearance.
void number(Topology& topology, Index kind) {
  std::map<std::int32_t, std::int32_t> numbers{{-1, -1}};
  for (Core& core : topology) {
    const auto next = static_cast<std::int32_t>(numbers.size()) - 1;
    core.at.*kind = numbers.try_emplace(core.at.*kind, next).first->second;
  }
}

void number_all(Topology& topology) {
  for (const shm::HardwareKind& kind : shm::kHardwareKinds) {
    if (kind.instance != &shm::Location::machine) number(topology, kind.instance);
  }
}

void sort_neighbours(Topology& topology) {
  const auto key = [](const Core& core) {
    const shm::Location& at = core.at;
    return std::tie(at.package, at.die, at.numa, at.l3cache, at.group, at.l2cache, at.core);
  };
  std::stable_sort(topology.begin(), topology.end(),
                   [&](const Core& a, const Core& b) { return key(a) < key(b); });
}

// From some unit, or 0 for what is not known, to 0, 1, ... Cores that differ by less than
// a fifth are alike: those of a kind have not all the same highest clock.
void rank_speeds(Topology& topology) {
  std::map<int, int> ranks;
  for (const Core& core : topology) ranks[core.speed] = 0;
  int slowest = ranks.begin()->first;
  int rank = 0;
  for (auto& [speed, its_rank] : ranks) {
    if (slowest > 0 && speed > slowest + slowest / 5) {
      slowest = speed;
      ++rank;
    }
    its_rank = rank;
  }
  for (Core& core : topology) core.speed = ranks[core.speed];
}

}  // namespace

Topology read_topology(const CpuSet& allowed, const std::string& devices) {
  Topology topology = Reader(allowed, devices).read();
  if (topology.empty()) return topology;
  const bool one_memory = std::all_of(topology.begin(), topology.end(),
                                      [](const Core& core) { return core.at.numa < 0; });
  for (std::size_t i = 0; i < topology.size(); ++i) {
    topology[i].at.core = static_cast<std::int32_t>(i);
    if (one_memory) topology[i].at.numa = 0;
  }
  rank_speeds(topology);
  leave_out_what_says_nothing_new(topology);
  number_all(topology);
  sort_neighbours(topology);
  number_all(topology);
  return topology;
}

}  // namespace atl::launcher
