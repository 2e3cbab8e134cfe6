// Options about which rank runs where.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"

namespace atl::launcher {
namespace {

constexpr std::string_view kCores = "a number of cores (1 or more)";

// "0+1,4-7": the first rank gets 0 and 1, the next 4, then 5, 6, 7.
void set_list(std::string_view text, OptionWords& words, Plan& plan) {
  plan.placement.bind = BindTo::list;
  for (const std::string& item : split(text, ',')) {
    std::vector<int> joined;
    const std::vector<std::string> pieces = split(item, '+');
    for (const std::string& piece : pieces) {
      const auto cpus = parse_numbers(piece);
      if (!cpus) words.fail(fmt::format("'{}' is not a list of processing units", text));
      joined.insert(joined.end(), cpus->begin(), cpus->end());
    }
    if (pieces.size() > 1) {
      plan.placement.list.push_back(joined);
    } else {
      for (const int cpu : joined) plan.placement.list.push_back({cpu});
    }
  }
}

// What follows the colons: PE=n. That ranks may outnumber cores is understood.
void set_modifier(const std::string& modifier, OptionWords& words, Plan& plan) {
  const std::string word = lower_case(modifier);
  if (word.starts_with("pe=")) {
    plan.placement.cores_per_rank = parse_number(word.substr(3), 1, words, kCores);
  } else if (word != "oversubscribe" && word != "nooversubscribe" && word != "span" &&
             word != "overload-allowed" && word != "no-overload" && word != "if-supported") {
    words.fail(fmt::format("'{}' is not PE=n", modifier));
  }
}

void set_binding(OptionWords& words, Plan& plan, Part&) {
  static constexpr std::pair<std::string_view, BindTo> kTargets[] = {
      {"auto", BindTo::automatic},  {"none", BindTo::none},       {"hwthread", BindTo::hwthread},
      {"core", BindTo::core},       {"l2cache", BindTo::l2cache}, {"l2", BindTo::l2cache},
      {"l3cache", BindTo::l3cache}, {"l3", BindTo::l3cache},      {"numa", BindTo::numa},
      {"socket", BindTo::package},  {"package", BindTo::package},
  };
  const std::string text = words.next();
  const std::vector<std::string> pieces = split(text, ':');
  const std::string word = lower_case(pieces[0]);
  if (pieces.size() > 1 && (word == "list" || word == "user")) {
    return set_list(std::string_view(text).substr(word.size() + 1), words, plan);
  }
  const auto known = std::find_if(std::begin(kTargets), std::end(kTargets),
                                  [&](const auto& entry) { return entry.first == word; });
  if (known == std::end(kTargets)) {
    words.fail(fmt::format(
        "'{}' is none of auto, none, hwthread, core, l2, l3, numa, socket, list:CPUS", text));
  }
  plan.placement.bind = known->second;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool number =
        !pieces[i].empty() && pieces[i].find_first_not_of("0123456789") == std::string::npos;
    set_modifier(number ? "pe=" + pieces[i] : pieces[i], words, plan);
  }
}

constexpr std::pair<std::string_view, MapBy> kObjects[] = {
    {"core", MapBy::core},       {"slot", MapBy::core},      {"hwthread", MapBy::core},
    {"l2cache", MapBy::l2cache}, {"l2", MapBy::l2cache},     {"l3cache", MapBy::l3cache},
    {"l3", MapBy::l3cache},      {"numa", MapBy::numa},      {"socket", MapBy::package},
    {"package", MapBy::package}, {"node", MapBy::automatic}, {"", MapBy::automatic},
};

MapBy object_named(const std::string& name, OptionWords& words) {
  const auto known = std::find_if(std::begin(kObjects), std::end(kObjects), [&](const auto& entry) {
    return lower_case(name) == entry.first;
  });
  if (known == std::end(kObjects)) {
    words.fail(fmt::format("'{}' is none of core, l2, l3, numa, socket, node, slot", name));
  }
  return known->second;
}

// ppr:N:OBJECT, which a node has one of.
void set_ranks_per_object(const std::vector<std::string>& pieces, OptionWords& words, Plan& plan) {
  if (pieces.size() < 3) words.fail("ppr:N:OBJECT is expected");
  const int ranks = parse_number(pieces[1], 1, words, "a number of ranks (1 or more)");
  plan.placement.map = object_named(pieces[2], words);
  if (plan.placement.map == MapBy::automatic) {
    plan.ranks_per_node = ranks;
  } else {
    plan.placement.ranks_per_object = ranks;
  }
}

void set_mapping(OptionWords& words, Plan& plan, Part&) {
  const std::vector<std::string> pieces = split(words.next(), ':');
  const bool per_object = lower_case(pieces[0]) == "ppr";
  if (per_object) {
    set_ranks_per_object(pieces, words, plan);
  } else {
    plan.placement.map = object_named(pieces[0], words);
  }
  for (std::size_t i = per_object ? 3 : 1; i < pieces.size(); ++i) {
    set_modifier(pieces[i], words, plan);
  }
}

void set_ranking(OptionWords& words, Plan& plan, Part&) {
  const std::string word = lower_case(words.next());
  if (word == "fill" || word == "core" || word == "slot" || word == "hwthread") {
    plan.placement.rank_by_core = true;
  } else if (word != "span" && word != "node") {
    object_named(word, words);
  }
}

void set_cores_per_rank(OptionWords& words, Plan& plan, Part&) {
  plan.placement.cores_per_rank = words.next_number(1, kCores);
}

void set_cpu_kind(OptionWords& words, Plan& plan, Part&) {
  const std::string word = lower_case(words.next());
  if (word != "all" && word != "fast")
    words.fail(fmt::format("'{}' is neither all nor fast", word));
  plan.placement.kind = word == "all" ? CpuKind::all : CpuKind::fast;
}

void set_report(OptionWords&, Plan& plan, Part&) { plan.report_bindings = true; }

void set_display(OptionWords& words, Plan& plan, Part&) {
  words.next();
  plan.report_bindings = true;
}

void set_topology(OptionWords& words, Plan& plan, Part&) {
  plan.topology = words.next();
  if (plan.topology.empty()) words.fail("'' is neither a file nor a synthetic topology");
}

void set_dry_run(OptionWords&, Plan& plan, Part&) { plan.dry_run = true; }

constexpr Option kOptions[] = {
    {"--bind-to", "OBJECT",
     "What a rank may use: none (everything), hwthread, core, l2, l3, numa, socket, list:CPUS (of "
     "0+1,4-6 rank 0 gets 0 and 1, rank 1 gets 4, and so on) or auto, as without the option: the "
     "cores that no other job has are divided into as many equal blocks of neighbours as there "
     "are ranks; when there are more ranks than cores, nothing is bound. core:N is core with N "
     "cores a rank.",
     set_binding},
    {"--map-by", "OBJECT[:PE=n]",
     "How ranks follow each other: by core (or slot) they sit side by side; by l2, l3, numa or "
     "socket they go round these; by ppr:N:OBJECT each object gets N ranks, and without -n all "
     "objects do. PE=n gives each rank n cores.",
     set_mapping},
    {"--rank-by", "OBJECT",
     "Which ranks are neighbours where they go round objects: successive ones with core, slot or "
     "fill; otherwise successive ranks are in different objects.",
     set_ranking},
    {"--cpus-per-rank --cpus-per-proc", "N", "Give each rank N cores, as PE=N does.",
     set_cores_per_rank},
    {"--cpu-kind", "KIND",
     "On chips with fast and slow cores: fast leaves the slow ones alone, all makes no difference "
     "between them. Without the option the fast ones are used first.",
     set_cpu_kind},
    {"--report-bindings -report --display-map -print-rank-map", "",
     "Draw the node with the ranks in it, on standard error.", set_report},
    {"--display", "WHAT", "The same: map, bind and allocation are one drawing.", set_display},
    {"--dry-run --do-not-launch", "",
     "Start nothing: draw the node with the ranks where they would be placed, on standard output. "
     "A program need not be named.",
     set_dry_run},
    {"--topology", "FILE|SYNTHETIC",
     "With --dry-run: place the ranks on another machine, which a file that lstopo wrote in its "
     "XML format describes, or a synthetic topology of hwloc: --topology 'package:2 numa:2 core:4 "
     "pu:2'. The variables HWLOC_XMLFILE and HWLOC_SYNTHETIC do the same. Ranks can only be "
     "started where they name this machine, as HWLOC_THISSYSTEM=1 says.",
     set_topology},
};

}  // namespace

std::span<const Option> placement_options() { return kOptions; }

}  // namespace atl::launcher
