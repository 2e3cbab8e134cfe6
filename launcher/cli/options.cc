#include "launcher/cli/options.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "launcher/cli/config_file.h"
#include "launcher/cli/option_table.h"
#include "launcher/cli/soft_rank_counts.h"
#include "launcher/hardware/allowed_cpus.h"

namespace atl::launcher {
namespace {

// An option without its one or two dashes.
std::string_view name_of(std::string_view option) {
  return option.substr(option.starts_with("--") ? 2 : 1);
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> words) : words_(words) {}

  Plan parse() {
    while (parse_part()) {
    }
    if (plan_.action == Plan::Action::run) {
      for (Part& part : plan_.parts) count_ranks(part);
      check();
    }
    return std::move(plan_);
  }

 private:
  // Options, a program and its arguments. True when a colon ends them, so that
  // another part follows.
  bool parse_part() {
    Part part;
    while (next_ < words_.size() && words_[next_].starts_with('-')) {
      if (words_[next_] == "--") {
        ++next_;
        break;
      }
      parse_option(part);
      if (plan_.action != Plan::Action::run) return false;
    }
    while (next_ < words_.size() && words_[next_] != ":") part.command.push_back(words_[next_++]);
    if (part.command.empty() && !plan_.dry_run) throw no_program();
    plan_.parts.push_back(std::move(part));
    const bool colon = next_ < words_.size();
    if (colon) ++next_;
    return colon;
  }

  void parse_option(Part& part) {
    const std::string word = words_[next_++];
    const std::size_t equals = word.find('=');
    const bool joined = equals != std::string::npos;  // --option=argument
    const std::string typed = word.substr(0, equals);
    const Option* option = find_option(name_of(typed));
    if (option == nullptr) throw unknown(word, name_of(typed));
    const std::string argument = joined ? word.substr(equals + 1) : "";
    std::span<const std::string> rest = words_.subspan(next_);
    if (joined) rest = {&argument, 1};
    if (!joined && option->may_lack_argument()) rest = {};
    OptionWords words(typed, option->argument, rest);
    if (joined && option->argument.empty()) words.fail("takes no argument");
    option->apply(words, plan_, part);
    if (!joined) next_ += words.taken();
  }

  static UsageError unknown(const std::string& word, std::string_view name) {
    const std::string nearest = nearest_option(name);
    return {nearest.empty() ? fmt::format("unknown option '{}'", word)
                            : fmt::format("unknown option '{}'; did you mean {}?", word, nearest)};
  }

  UsageError no_program() const {
    return {plan_.parts.empty()
                ? "no program to run"
                : fmt::format("no program to run in part {}", plan_.parts.size() + 1)};
  }

  // Without -n.
  int usual_ranks(const Part& part) const {
    if (plan_.ranks_per_node > 0) return plan_.ranks_per_node;
    return part.soft.empty() ? 1 : read_allowed_cpus().cpus.count();
  }

  void count_ranks(Part& part) const {
    part.most_ranks = part.ranks > 0 ? part.ranks : usual_ranks(part);
    part.ranks = part.soft.empty() ? part.most_ranks : allowed_ranks(part);
  }

  // What -soft leaves of the ranks asked for.
  static int allowed_ranks(const Part& part) {
    const auto ranks = largest_of(*parse_soft_counts(part.soft), part.most_ranks);
    if (ranks) return *ranks;
    throw UsageError{
        fmt::format("-soft: '{}' allows no number of ranks up to {}", part.soft, part.most_ranks)};
  }

  // What only the whole command line shows.
  void check() const {
    if (plan_.ranks() > kMostRanks) {
      throw UsageError{fmt::format("-n: {} ranks are more than the {} that a job may have",
                                   plan_.ranks(), kMostRanks)};
    }
    const bool counted_later = plan_.placement.ranks_per_object > 0;
    if (plan_.input.kind == InputChoice::Kind::one && !counted_later &&
        plan_.input.rank >= plan_.ranks()) {
      throw UsageError{fmt::format("--stdin: rank {} does not exist in a job of {}",
                                   plan_.input.rank, plan_.ranks())};
    }
  }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  Plan plan_;
};

// `-configfile FILE` alone stands for what is in the file.
bool is_file(std::span<const std::string> arguments) {
  if (arguments.size() != 2 || !arguments[0].starts_with('-')) return false;
  const std::string_view name = name_of(arguments[0]);
  return name == "configfile" || name == "file" || name == "app";
}

Plan plan_of_file(const std::string& option, const std::string& file) {
  const std::vector<std::string> words = words_of_file(option, file);
  Plan plan = Parser(words).parse();
  for (Part& part : plan.parts) part.file = file;
  return plan;
}

}  // namespace

std::variant<Plan, UsageError> parse_options(std::span<const std::string> arguments,
                                             const char* timeout) {
  try {
    Plan plan =
        is_file(arguments) ? plan_of_file(arguments[0], arguments[1]) : Parser(arguments).parse();
    const bool runs = plan.action == Plan::Action::run;
    if (runs && plan.timeout == 0 && timeout != nullptr && *timeout != '\0') {
      plan.timeout = parse_seconds(timeout, OptionWords("MPIEXEC_TIMEOUT", "", {}));
    }
    return plan;
  } catch (UsageError& error) {
    return std::move(error);
  }
}

}  // namespace atl::launcher
