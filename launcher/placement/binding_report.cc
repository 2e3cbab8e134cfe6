#include "launcher/placement/binding_report.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kWidestCell = 7;

template <class Index>
int count_of(const Topology& topology, Index index) {
  std::set<int> seen;
  for (const Core& core : topology) {
    if (index(core) >= 0) seen.insert(index(core));
  }
  return static_cast<int>(seen.size());
}

std::string headline(const Topology& topology, std::span<const RankPlace> places) {
  std::size_t cpus = 0;
  for (const Core& core : topology) cpus += core.cpus.size();
  return fmt::format(
      "{} on {} with {}, {}, {}\n", counted(static_cast<int>(places.size()), "rank"),
      counted(static_cast<int>(topology.size()), "core"),
      counted(static_cast<int>(cpus), "hardware thread"),
      counted(count_of(topology, [](const Core& core) { return core.at.numa; }), "NUMA node"),
      counted(count_of(topology, [](const Core& core) { return core.at.package; }), "package"));
}

bool touches(const CpuSet& cpus, const Core& core) {
  return std::any_of(core.cpus.begin(), core.cpus.end(),
                     [&](int cpu) { return cpus.contains(cpu); });
}

std::vector<int> ranks_on(const Core& core, std::span<const RankPlace> places) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    if (touches(places[rank].cpus, core)) ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

// The ranks on a core; "*" when they do not fit.
std::string cell_text(const Core& core, const CpuSet& taken, std::span<const RankPlace> places) {
  const std::vector<int> ranks = ranks_on(core, places);
  if (ranks.empty()) return touches(taken, core) ? "x" : ".";
  const std::string text = ranges(ranks);
  return text.size() <= kWidestCell ? text : "*";
}

struct Cell {
  const Core* core;
  std::string text;
};

bool is_slow(const Core& core, const Topology& topology) {
  return std::any_of(topology.begin(), topology.end(),
                     [&](const Core& other) { return other.speed > core.speed; });
}

bool same_row(const Core& a, const Core& b) {
  return a.at.package == b.at.package && a.at.numa == b.at.numa && a.at.l3cache == b.at.l3cache;
}

std::string row_name(const Core& core) {
  std::string name;
  if (core.at.numa >= 0) name += fmt::format("NUMA {:<3}", core.at.numa);
  if (core.at.l3cache >= 0) name += fmt::format("L3 {:<3}", core.at.l3cache);
  return name;
}

// A row of boxes for the cores that share caches and memory.
std::string draw_row(std::span<const Cell> cells, std::size_t width, const Topology& topology) {
  const std::string name = fmt::format("  {:<16}", row_name(*cells[0].core));
  const std::size_t cells_a_line =
      std::max<std::size_t>((kLineWidth - name.size()) / (width + 2), 1);
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i % cells_a_line == 0) {
      row += i == 0 ? name : '\n' + std::string(name.size(), ' ');
    }
    const bool slow = is_slow(*cells[i].core, topology);
    row += fmt::format("{}{:^{}}{}", slow ? '(' : '[', cells[i].text, width, slow ? ')' : ']');
  }
  return row + '\n';
}

std::string draw(const Topology& topology, const std::vector<Cell>& cells) {
  std::size_t width = 1;
  for (const Cell& cell : cells) width = std::max(width, cell.text.size());
  std::string drawing;
  for (std::size_t first = 0; first < cells.size();) {
    const Core& core = *cells[first].core;
    if (first == 0 || core.at.package != cells[first - 1].core->at.package) {
      drawing += fmt::format("package {}\n", core.at.package);
    }
    std::size_t last = first + 1;
    while (last < cells.size() && same_row(core, *cells[last].core)) ++last;
    drawing += draw_row(std::span(cells).subspan(first, last - first), width, topology);
    first = last;
  }
  return drawing;
}

// Explains the signs that occur in the drawing.
std::string legend(const Topology& topology, const std::vector<Cell>& cells) {
  const auto occurs = [&](std::string_view text) {
    return std::any_of(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return cell.text == text; });
  };
  std::string text;
  const auto explain = [&text](std::string_view sign) {
    text += text.empty() ? "  " : "; ";
    text += sign;
  };
  if (occurs(".")) explain(". no rank is bound here");
  if (occurs("x")) explain("x of another job");
  if (occurs("*")) explain("* several ranks");
  if (std::any_of(topology.begin(), topology.end(),
                  [&](const Core& core) { return is_slow(core, topology); })) {
    explain("( ) slower cores");
  }
  return text.empty() ? text : text + '\n';
}

std::string list_ranks(const Topology& topology, std::span<const RankPlace> places) {
  std::string list;
  const int digits = static_cast<int>(std::to_string(places.size() - 1).size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const CpuSet& cpus = places[rank].cpus;
    if (cpus.empty()) continue;
    std::vector<int> cores;
    for (const Core& core : topology) {
      if (touches(cpus, core)) cores.push_back(core.at.core);
    }
    list += fmt::format("rank {:>{}}: {} {}, {} {}\n", rank, digits,
                        cores.size() == 1 ? "core" : "cores", ranges(cores),
                        cpus.count() == 1 ? "cpu" : "cpus", cpus.to_string());
  }
  return list.empty() ? "ranks are not bound: each may use all of these cores\n" : list;
}

}  // namespace

std::string report(const Topology& topology, const CpuSet& taken,
                   std::span<const RankPlace> places) {
  std::vector<Cell> cells;
  for (const Core& core : topology) cells.push_back({&core, cell_text(core, taken, places)});
  return headline(topology, places) + draw(topology, cells) + legend(topology, cells) +
         list_ranks(topology, places);
}

}  // namespace atl::launcher
