#include "launcher/option_table.h"

#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "launcher/hosts.h"
#include "launcher/soft.h"
#include "launcher/text.h"
#include "shm/job.h"

namespace atl::launcher {
namespace {

int parse_count(const std::string& text, int least, const OptionWords& words,
                std::string_view what) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least) {
    words.fail(fmt::format("'{}' is not {}", text, what));
  }
  return value;
}

// --- one function an option ---

void set_ranks(OptionWords& words, Plan&, Part& part) {
  part.ranks = parse_count(words.next(), 1, words, "a number of ranks (1 or more)");
}

void set_soft(OptionWords& words, Plan&, Part& part) {
  part.soft = words.next();
  if (!parse_soft(part.soft)) {
    words.fail(fmt::format("'{}' is not a list like 2:8:2,16 (first:last:stride)", part.soft));
  }
}

void set_directory(OptionWords& words, Plan&, Part& part) { part.directory = words.next(); }

void set_search_path(OptionWords& words, Plan&, Part& part) { part.search_path = words.next(); }

// NAME=VALUE in one word, or NAME and VALUE in two.
void add_variable(OptionWords& words, Variables& variables) {
  const std::string name = words.next();
  const std::size_t equals = name.find('=');
  if (name.empty() || equals == 0) words.fail(fmt::format("'{}' has no name", name));
  if (equals != std::string::npos) {
    variables.emplace_back(name.substr(0, equals), name.substr(equals + 1));
  } else {
    variables.emplace_back(name, words.next());
  }
}

void set_variable(OptionWords& words, Plan& plan, Part&) { add_variable(words, plan.environment); }

void set_part_variable(OptionWords& words, Plan&, Part& part) {
  add_variable(words, part.environment);
}

// The ranks inherit the environment, so that a name alone changes nothing.
void export_variable(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  const std::size_t equals = word.find('=');
  if (word.empty() || equals == 0) words.fail(fmt::format("'{}' has no name", word));
  if (equals != std::string::npos) {
    plan.environment.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
}

void set_binding(OptionWords& words, Plan& plan, Part&) {
  static constexpr std::pair<std::string_view, BindTo> kTargets[] = {
      {"none", BindTo::none},       {"hwthread", BindTo::hwthread}, {"core", BindTo::core},
      {"l3cache", BindTo::l3cache}, {"l3", BindTo::l3cache},        {"numa", BindTo::numa},
      {"socket", BindTo::package},  {"package", BindTo::package},
  };
  const std::string word = words.next();
  for (const auto& [name, target] : kTargets) {
    if (lower_case(word) == name) {
      plan.placement.bind = target;
      return;
    }
  }
  words.fail(fmt::format("'{}' is none of none, hwthread, core, l3cache, numa, socket", word));
}

// What follows the colons: PE=n; that ranks may outnumber cores is understood.
void set_mapping_modifier(const std::string& modifier, OptionWords& words, Plan& plan) {
  const std::string word = lower_case(modifier);
  if (word.starts_with("pe=")) {
    plan.placement.cores_per_rank =
        parse_count(word.substr(3), 1, words, "a number of cores (1 or more)");
  } else if (word != "oversubscribe") {
    words.fail(fmt::format("'{}' is not PE=n", modifier));
  }
}

void set_mapping(OptionWords& words, Plan& plan, Part&) {
  static constexpr std::pair<std::string_view, MapBy> kObjects[] = {
      {"core", MapBy::core},       {"slot", MapBy::core},  {"l3cache", MapBy::l3cache},
      {"l3", MapBy::l3cache},      {"numa", MapBy::numa},  {"socket", MapBy::package},
      {"package", MapBy::package}, {"", MapBy::automatic},
  };
  const std::vector<std::string> pieces = split(words.next(), ':');
  const auto known = std::find_if(std::begin(kObjects), std::end(kObjects), [&](const auto& entry) {
    return lower_case(pieces[0]) == entry.first;
  });
  if (known == std::end(kObjects)) {
    words.fail(fmt::format("'{}' is none of core, l3cache, numa, socket, slot", pieces[0]));
  }
  plan.placement.map = known->second;
  for (std::size_t i = 1; i < pieces.size(); ++i) set_mapping_modifier(pieces[i], words, plan);
}

void set_report(OptionWords&, Plan& plan, Part&) { plan.report_bindings = true; }

void set_label(OptionWords&, Plan& plan, Part&) { plan.label_output = true; }

void set_output_files(OptionWords& words, Plan& plan, Part&) {
  plan.output_files = words.next();
  if (plan.output_files.empty()) words.fail("the name is empty");
}

void set_input(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  if (word == "all") {
    plan.input.kind = InputChoice::Kind::all;
  } else if (word == "none") {
    plan.input.kind = InputChoice::Kind::none;
  } else {
    plan.input.kind = InputChoice::Kind::one;
    plan.input.rank = parse_count(word, 0, words, "a rank, all or none");
  }
}

void set_timeout(OptionWords& words, Plan& plan, Part&) {
  plan.timeout = parse_seconds(words.next(), words);
}

void set_keep_deadlock(OptionWords&, Plan& plan, Part&) { plan.keep_deadlock = true; }

void set_verbose(OptionWords&, Plan& plan, Part&) { plan.verbose = true; }

void check_host(const std::string& host, const OptionWords& words) {
  if (is_this_node(host, own_host_name())) return;
  words.fail(
      fmt::format("'{}' is another machine, and Atoll runs on one node: start mpiexec on "
                  "that machine, or use an MPI for clusters",
                  host));
}

void check_hosts(OptionWords& words, Plan&, Part&) {
  for (const std::string& host : hosts_in_list(words.next())) check_host(host, words);
}

void check_host_file(OptionWords& words, Plan&, Part&) {
  const std::string name = words.next();
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    words.fail(fmt::format("cannot read '{}': {}", name, std::system_category().message(errno)));
  }
  for (const std::string& host : hosts_in_file(text)) check_host(host, words);
}

void change_nothing(OptionWords&, Plan&, Part&) {}

void pass_by_one(OptionWords& words, Plan&, Part&) { words.next(); }

void pass_by_two(OptionWords& words, Plan&, Part&) {
  words.next();
  words.next();
}

void check_architecture(OptionWords& words, Plan&, Part&) {
  utsname system{};
  ::uname(&system);
  const std::string word = words.next();
  if (word != system.machine) {
    words.fail(fmt::format("this machine is not {}, but {}", word, system.machine));
  }
}

// Found and replaced by its contents before options are read.
void refuse_late_file(OptionWords& words, Plan&, Part&) {
  words.fail("must be the first option, and nothing follows its file");
}

void show_help(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::help; }
void show_version(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::version; }
void show_manual(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::manual; }

// MPI 5.0, 11.5.
void set_errhandler(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  for (const char* name : {shm::kErrorsAreFatal, shm::kErrorsAbort, shm::kErrorsReturn}) {
    if (word != name) continue;
    plan.environment.emplace_back(shm::kErrhandlerVariable, word);
    return;
  }
  words.fail(fmt::format("'{}' is none of {}, {}, {}", word, shm::kErrorsAreFatal,
                         shm::kErrorsAbort, shm::kErrorsReturn));
}

// MPI 5.0, 11.5.
void set_thread_level(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  for (const char* name : shm::kThreadLevels) {
    if (word != name) continue;
    plan.environment.emplace_back(shm::kThreadLevelVariable, word);
    return;
  }
  words.fail(fmt::format("'{}' is none of {}", word, fmt::join(shm::kThreadLevels, ", ")));
}

// --- the table ---

constexpr Option kProgramOptions[] = {
    {"-n -np -c", "N", "Start N ranks of the program. Without it there is one.", set_ranks},
    {"-soft", "LIST",
     "Numbers of ranks that the program can do with, as in 2:8:2,16 (first:last:stride). The "
     "largest of them up to that of -n is started.",
     set_soft},
    {"-wdir -wd", "DIR", "Start the ranks in the folder DIR.", set_directory},
    {"-configfile -file --app", "FILE",
     "Read the programs from FILE, one a line with its options; a line that starts with # says "
     "nothing. Nothing else may be on the command line.",
     refuse_late_file},
    {"-path", "DIRS", "Look for the program in DIRS, separated by colons, before PATH.",
     set_search_path},
    {"-env", "NAME VALUE", "Set a variable for the ranks of this program.", set_part_variable},
    {"-genv", "NAME VALUE", "Set a variable for the ranks of all programs.", set_variable},
    {"-x", "NAME[=VALUE]",
     "Set a variable for the ranks of all programs. A name alone is accepted: ranks inherit the "
     "whole environment of mpiexec anyway.",
     export_variable},
};

constexpr Option kPlacementOptions[] = {
    {"--bind-to", "OBJECT",
     "What a rank may use: none (everything), hwthread, core, l3cache, numa or socket. Without it "
     "the cores are divided into as many equal blocks of neighbours as there are ranks; when "
     "there are more ranks than cores, nothing is bound.",
     set_binding},
    {"--map-by", "OBJECT[:PE=n]",
     "How ranks follow each other: by core (or slot) they sit side by side; by l3cache, numa or "
     "socket they go round these. PE=n gives each rank n cores.",
     set_mapping},
    {"--report-bindings", "", "Draw the node with the ranks in it, on standard error.", set_report},
};

constexpr Option kOutputOptions[] = {
    {"-l --tag-output -prepend-rank", "", "Start each line of output with its rank: [3] text.",
     set_label},
    {"--output-filename", "BASE",
     "Write the output of rank 3 to the files BASE.3.out and BASE.3.err, and so on.",
     set_output_files},
    {"--stdin -s", "RANK",
     "Who reads the standard input of mpiexec: a rank (without the option, rank 0), all or none. "
     "The others read an empty file.",
     set_input},
};

constexpr Option kControlOptions[] = {
    {"--timeout", "SECONDS",
     "End the job after this time with status 124, and say what each rank was waiting for. The "
     "variable MPIEXEC_TIMEOUT does the same.",
     set_timeout},
    {"--keep-deadlock", "",
     "Leave a deadlocked job as it is, for a debugger. Without the option mpiexec tells who waits "
     "for whom and ends the job with status 123.",
     set_keep_deadlock},
    {"-initial-errhandler", "NAME",
     "The error handler that MPI's objects begin with: mpi_errors_are_fatal (without the option), "
     "mpi_errors_abort or mpi_errors_return. The variable ATOLL_ERRHANDLER does the same.",
     set_errhandler},
    {"-thread-level", "LEVEL",
     "The thread level that MPI_Init gives at least: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
     "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE. The variable ATOLL_THREAD_LEVEL does the same.",
     set_thread_level},
    {"-v --verbose", "", "Say what is started, and how each rank ended.", set_verbose},
};

constexpr Option kHabitOptions[] = {
    {"-host -hosts -H", "NAMES", "Accepted when all names are this machine.", check_hosts},
    {"-hostfile -f -machinefile", "FILE", "Accepted when all names in it are this machine.",
     check_host_file},
    {"-arch", "NAME", "Accepted when it is the architecture of this machine.", check_architecture},
    {"-ppn -perhost --npernode -N", "N", "Accepted: there is one node.", pass_by_one},
    {"-envall -genvall", "", "Accepted: ranks inherit the whole environment.", change_nothing},
    {"--mca --pmixmca --prtemca", "NAME VALUE", "Accepted: Atoll has no such settings.",
     pass_by_two},
    {"--prefix -bootstrap -launcher -rmk", "NAME", "Accepted: no daemon is started.", pass_by_one},
    {"--oversubscribe --nooversubscribe", "",
     "Accepted: there may always be more ranks than cores.", change_nothing},
    {"--allow-run-as-root", "", "Accepted: anybody may run a job.", change_nothing},
    {"--use-hwthread-cpus", "", "Accepted: ranks are never counted against hardware threads.",
     change_nothing},
};

constexpr Option kInformationOptions[] = {
    {"--help -h", "", "Print this text.", show_help},
    {"--version -V", "", "Print the version.", show_version},
    {"--man", "", "Print the manual page, in mdoc format.", show_manual},
};

constexpr OptionGroup kGroups[] = {
    {"Programs", kProgramOptions},
    {"Placement", kPlacementOptions},
    {"Input and output", kOutputOptions},
    {"Control", kControlOptions},
    {"Options of other launchers", kHabitOptions},
    {"Information", kInformationOptions},
};

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// Calls visit(option, name as written) for every name of every option.
template <class Visit>
void for_each_name(Visit&& visit) {
  for (const OptionGroup& group : kGroups) {
    for (const Option& option : group.options) {
      for (const std::string& name : split(option.names, ' ')) visit(option, name);
    }
  }
}

}  // namespace

std::span<const OptionGroup> option_groups() { return kGroups; }

const Option* find_option(std::string_view name) {
  const Option* found = nullptr;
  for_each_name([&](const Option& option, std::string_view written) {
    if (without_dashes(written) == name) found = &option;
  });
  return found;
}

std::string nearest_option(std::string_view name) {
  std::string nearest;
  int best = static_cast<int>(name.size()) / 2 + 1;  // farther is not alike
  for_each_name([&](const Option&, const std::string& written) {
    const int distance = edit_distance(name, without_dashes(written));
    if (distance >= best) return;
    best = distance;
    nearest = written;
  });
  return nearest;
}

double parse_seconds(const std::string& text, const OptionWords& words) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  constexpr double kLongest = 1e8;  // three years; also keeps infinity out
  if (error != std::errc{} || stop != end || !(seconds > 0) || seconds > kLongest) {
    words.fail(fmt::format("'{}' is not a number of seconds above 0", text));
  }
  return seconds;
}

std::string OptionWords::next() {
  if (taken_ == rest_.size()) fail(fmt::format("{} is missing", expected_));
  return rest_[taken_++];
}

void OptionWords::fail(const std::string& what) const { throw UsageError{option_ + ": " + what}; }

}  // namespace atl::launcher
