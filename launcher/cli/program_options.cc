// Options about what is started, and with which environment.
#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"
#include "launcher/cli/soft_rank_counts.h"
#include "shm/job.h"

namespace atl::launcher {
namespace {

void set_ranks(OptionWords& words, Plan& plan, Part& part) {
  part.ranks = words.next_number(1, "a number of ranks (1 or more)");
  plan.counted = true;
}

void set_soft(OptionWords& words, Plan&, Part& part) {
  part.soft = words.next();
  if (!parse_soft_counts(part.soft)) {
    words.fail(fmt::format("'{}' is not a list like 2:8:2,16 (first:last:stride)", part.soft));
  }
}

void set_directory(OptionWords& words, Plan&, Part& part) { part.directory = words.next(); }

void set_search_path(OptionWords& words, Plan&, Part& part) { part.search_path = words.next(); }

// Found and replaced by its contents before options are read.
void refuse_late_file(OptionWords& words, Plan&, Part&) {
  words.fail("must be the first option, and nothing follows its file");
}

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

// A name alone matters only where not all is inherited.
void export_variable(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  const std::size_t equals = word.find('=');
  if (word.empty() || equals == 0) words.fail(fmt::format("'{}' has no name", word));
  if (equals != std::string::npos) {
    plan.environment.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  } else {
    plan.inheritance.names.push_back(word);
  }
}

void restrict_to(OptionWords& words, Inheritance& inheritance) {
  inheritance.all = false;
  for (std::string& name : split(words.next(), ',')) {
    if (!name.empty()) inheritance.names.push_back(std::move(name));
  }
}

void inherit_list(OptionWords& words, Plan& plan, Part&) { restrict_to(words, plan.inheritance); }
void inherit_none(OptionWords&, Plan& plan, Part&) { plan.inheritance.all = false; }
void inherit_all(OptionWords&, Plan& plan, Part&) { plan.inheritance.all = true; }

void part_inherits_list(OptionWords& words, Plan&, Part& part) {
  restrict_to(words, part.inheritance.emplace());
}
void part_inherits_none(OptionWords&, Plan&, Part& part) { part.inheritance.emplace().all = false; }
void part_inherits_all(OptionWords&, Plan&, Part& part) { part.inheritance.emplace(); }

void set_ompi_variables(OptionWords&, Plan& plan, Part&) { plan.ompi_variables = true; }

void set_universe_size(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  const std::string name = lower_case(word);
  if (name == "infinite") {
    plan.universe_size = shm::kMaxRanks;
  } else if (name != "system") {
    plan.universe_size = static_cast<std::uint32_t>(
        parse_number(word, 1, words, "a number of processes, SYSTEM or INFINITE"));
  }
}

constexpr Option kOptions[] = {
    {"-n -np -c", "N", "Start N ranks of the program. Without it there is one.", set_ranks},
    {"-soft", "LIST",
     "Numbers of ranks that the program can do with, as in 2:8:2,16 (first:last:stride). The "
     "largest of them up to that of -n is started; without -n, up to the number of processing "
     "units.",
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
     "Set a variable for the ranks of all programs. A name alone is for those who inherit but "
     "what is listed.",
     export_variable},
    {"-envlist", "NAMES",
     "Of the environment of mpiexec the ranks of this program inherit these variables, separated "
     "by commas; without the option all.",
     part_inherits_list},
    {"-envnone", "", "The ranks of this program inherit no variable.", part_inherits_none},
    {"-envall", "", "The ranks of this program inherit all variables.", part_inherits_all},
    {"-genvlist", "NAMES", "As -envlist, for all programs that have no such option.", inherit_list},
    {"-genvnone", "", "As -envnone, for all programs that have no such option.", inherit_none},
    {"-genvall", "", "As -envall, for all programs that have no such option.", inherit_all},
    {"--ompi-variables", "",
     "Set OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE and the like too, for programs that read them "
     "before MPI_Init.",
     set_ompi_variables},
    {"-usize", "N",
     "What MPI_UNIVERSE_SIZE says: a number, SYSTEM (the processing units, as without the option) "
     "or INFINITE (as many as there may be).",
     set_universe_size},
};

}  // namespace

std::span<const Option> program_options() { return kOptions; }

}  // namespace atl::launcher
